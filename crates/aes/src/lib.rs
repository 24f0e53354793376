//! AES-128 of the released crate `aes` 0.8, behind the interface of its release candidate 0.9.0-rc.2.
//!
//! `polytune` asks for exactly that candidate, which holds `crypto-common` at a candidate, too; and with that no version of
//! `postgres-protocol` without known advisories can be had. It uses one cipher in one direction, so this is all of the
//! interface. It goes when polytune asks for a release.

pub use cipher;

use cipher::{
    Array, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, Key, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
    array::sizes::{U8, U16},
};
use released::cipher::{BlockEncrypt as _, KeyInit as _, generic_array::GenericArray};

/// A block of sixteen bytes.
pub type Block = Array<u8, U16>;

/// AES with a key of 128 bits, to encrypt.
#[derive(Clone)]
pub struct Aes128(released::Aes128Enc);

impl KeySizeUser for Aes128 {
    type KeySize = U16;
}

impl BlockSizeUser for Aes128 {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Aes128 {
    type ParBlocksSize = U8;
}

impl KeyInit for Aes128 {
    fn new(key: &Key<Self>) -> Self {
        Aes128(released::Aes128Enc::new(&GenericArray::from(key.0)))
    }
}

impl BlockCipherEncBackend for Aes128 {
    #[inline]
    fn encrypt_block(&self, mut block: InOut<'_, '_, Block>) {
        let mut bytes = GenericArray::from(block.get_in().0);
        self.0.encrypt_block(&mut bytes);
        *block.get_out() = Array(bytes.into());
    }

    #[inline]
    fn encrypt_par_blocks(&self, mut blocks: InOut<'_, '_, ParBlocks<Self>>) {
        let mut bytes = blocks.get_in().0.map(|block| GenericArray::from(block.0));
        self.0.encrypt_blocks(&mut bytes);
        *blocks.get_out() = Array(bytes.map(|block| Array(block.into())));
    }
}

impl BlockCipherEncrypt for Aes128 {
    #[inline]
    fn encrypt_with_backend(&self, run: impl BlockCipherEncClosure<BlockSize = U16>) {
        run.call(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197, appendix B and C.1; alone, and among more blocks than are encrypted at once.
    #[test]
    fn the_examples_of_the_standard_come_out() {
        let block = |hex: u128| Array(hex.to_be_bytes());
        for (key, plain, encrypted) in [
            (
                0x2b7e1516_28aed2a6_abf71588_09cf4f3c,
                0x3243f6a8_885a308d_313198a2_e0370734,
                0x3925841d_02dc09fb_dc118597_196a0b32,
            ),
            (
                0x00010203_04050607_08090a0b_0c0d0e0f,
                0x00112233_44556677_8899aabb_ccddeeff,
                0x69c4e0d8_6a7b0430_d8cdb780_70b4c55a,
            ),
        ] {
            let aes = Aes128::new(&block(key));
            let mut one: Block = block(plain);
            BlockCipherEncrypt::encrypt_block(&aes, &mut one);
            assert_eq!(one, block(encrypted));
            let mut many = vec![block(plain); 21];
            aes.encrypt_blocks(&mut many);
            assert_eq!(many, vec![block(encrypted); 21]);
            let mut apart = vec![Block::default(); 21];
            aes.encrypt_blocks_b2b(&vec![block(plain); 21], &mut apart).unwrap();
            assert_eq!(apart, many);
        }
    }
}
