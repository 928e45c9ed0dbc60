//! The same requests give the same reports natively and in the browser: digests of all built-in sets.
