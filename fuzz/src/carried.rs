//! Data that travel in an address.

use crate::address::{address, opened};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::read::DeflateEncoder;
use flate2::{Compression, Crc};
use packscope_page::state::View;
use packscope_page::state::custom::{Custom, LINK};
use std::io::Read;

/// Plain bytes under the checksum that belongs to them, which no fuzzer finds: what is read is written and read again
/// as the same, and the page opens on it.
pub fn carried(bytes: &[u8]) {
    let Some((flags, body)) = bytes.split_first() else {
        return;
    };
    let (kind, deflated) = (flags & 0x7f, flags & 0x80 != 0);
    let mut crc = Crc::new();
    crc.update(&[kind]);
    crc.update(body);
    let mut packed = vec![*flags];
    packed.extend(crc.sum().to_le_bytes());
    if deflated {
        let _ = DeflateEncoder::new(body, Compression::fast()).read_to_end(&mut packed);
    } else {
        packed.extend(body);
    }
    let value = format!("own1.{}", URL_SAFE_NO_PAD.encode(&packed));
    let Ok(custom) = Custom::read(&value) else {
        return;
    };
    let carried = custom.carried();
    let Some(again) = carried.value.as_deref() else {
        return;
    };
    assert!(again.len() <= LINK);
    assert_eq!(
        Custom::read(again).as_ref(),
        Ok(&custom),
        "read, written and read"
    );
    let page = opened(custom);
    for view in View::ALL {
        let page = page.reduce(packscope_page::state::Action::View(view));
        address(page.link().as_bytes());
    }
}
