//! Parts of the page that are loaded when first needed. With the feature `split`, in builds without debug assertions,
//! each is a separate file, which `cargo xtask seal` splits off; in other builds the page is one piece.

/// A part could not be loaded.
#[cfg(all(feature = "split", not(debug_assertions)))]
pub use wasm_split_helpers::SplitLoaderError as MissingPart;

/// A part could not be loaded, which never happens if the page is one piece.
#[cfg(not(all(feature = "split", not(debug_assertions))))]
#[derive(Debug, Clone)]
pub struct MissingPart;

/// Puts a function, and code reached only through it, into the part of this name. The function becomes `async`; the
/// first call loads the part. Its error type must be convertible from [`MissingPart`].
#[macro_export]
macro_rules! part {
    ($part:ident: $(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $output:ty $body:block) => {
        $(#[$doc])*
        #[cfg(all(feature = "split", not(debug_assertions)))]
        #[wasm_split_helpers::wasm_split($part, fallible)]
        fn $name($($arg: $type),*) -> $output $body

        $(#[$doc])*
        #[cfg(not(all(feature = "split", not(debug_assertions))))]
        async fn $name($($arg: $type),*) -> $output $body
    };
}
