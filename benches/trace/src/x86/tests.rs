use iced_x86::{Decoder, DecoderOptions};

use super::*;

/// General register i contains 0x1000 * (i + 1).
struct Fake {
    masks: [u64; 8],
    vectors: [[u8; 64]; 32],
    general: [u64; 16],
}

const AT: u64 = 0x40_0000;

impl Registers for Fake {
    fn general(&mut self, number: usize) -> u64 {
        self.general[number]
    }
    fn segment(&mut self, segment: Register) -> u64 {
        if segment == Register::FS {
            0x70_0000
        } else {
            0
        }
    }
    fn mask(&mut self, number: usize) -> Result<u64> {
        Ok(self.masks[number])
    }
    fn vector(&mut self, number: usize) -> Result<[u8; 64]> {
        Ok(self.vectors[number])
    }
}

fn fake() -> Fake {
    Fake {
        masks: [0; 8],
        vectors: [[0; 64]; 32],
        general: std::array::from_fn(|i| 0x1000 * (i as u64 + 1)),
    }
}

fn words(words: [i32; 16]) -> [u8; 64] {
    let bytes: Vec<u8> = words.into_iter().flat_map(i32::to_le_bytes).collect();
    bytes.try_into().unwrap()
}

fn events(code: &[u8], registers: &mut Fake) -> Vec<Event> {
    let instruction = Decoder::with_ip(64, code, AT, DecoderOptions::NONE).decode();
    assert!(!instruction.is_invalid());
    assert_eq!(instruction.len(), code.len());
    let decoded = Decoded::new(instruction, &mut InstructionInfoFactory::new());
    let mut events = Vec::new();
    decoded.events(registers, &mut events).unwrap();
    events
}

fn load(address: u64, size: usize) -> Event {
    Event::accesses(address, size, false)
}

fn store(address: u64, size: usize) -> Event {
    Event::accesses(address, size, true)
}

const RAX: u64 = 0x1000;
const RCX: u64 = 0x2000;
const RSP: u64 = 0x5000;
const RSI: u64 = 0x7000;
const RDI: u64 = 0x8000;

#[test]
fn operands_of_general_registers() {
    for (code, expected) in [
        // mov rax, [rcx + 8 * rsi + 0x10]
        (
            &[0x48, 0x8b, 0x44, 0xf1, 0x10][..],
            vec![load(RCX + 8 * RSI + 0x10, 8)],
        ),
        // mov byte [rdi], 1
        (&[0xc6, 0x07, 0x01], vec![store(RDI, 1)]),
        // add dword [rax], ecx
        (&[0x01, 0x08], vec![load(RAX, 4), store(RAX, 4)]),
        // mov eax, [rip + 0x100]
        (
            &[0x8b, 0x05, 0x00, 0x01, 0x00, 0x00],
            vec![load(AT + 6 + 0x100, 4)],
        ),
        // mov rax, fs:[0x28]
        (
            &[0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0],
            vec![load(0x70_0028, 8)],
        ),
        // push rax, pop rax, call, ret
        (&[0x50], vec![store(RSP - 8, 8)]),
        (&[0x58], vec![load(RSP, 8)]),
        (&[0xe8, 0, 0, 0, 0], vec![store(RSP - 8, 8)]),
        (&[0xc3], vec![load(RSP, 8)]),
        // push qword [rdi]
        (&[0xff, 0x37], vec![load(RDI, 8), store(RSP - 8, 8)]),
        // lea, a nop with an operand, add of registers
        (&[0x48, 0x8d, 0x44, 0xf1, 0x10], vec![]),
        (&[0x0f, 0x1f, 0x40, 0x00], vec![]),
        (&[0x01, 0xc8], vec![]),
    ] {
        let mut found = events(code, &mut fake());
        found.sort_by_key(|event| event.0);
        assert_eq!(found, expected, "{code:x?}");
    }
}

/// A step is one repetition; without a repetition, nothing is accessed.
#[test]
fn strings() {
    let movsb = [0xf3, 0xa4];
    let mut found = events(&movsb, &mut fake());
    found.sort_by_key(|event| event.0);
    assert_eq!(found, [load(RSI, 1), store(RDI, 1)]);
    // rep stosq
    let stosq = [0xf3, 0x48, 0xab];
    assert_eq!(events(&stosq, &mut fake()), [store(RDI, 8)]);
    let mut none = fake();
    none.general[Register::RCX.number()] = 0;
    assert_eq!(events(&movsb, &mut none), []);
}

#[test]
fn whole_vectors() {
    // vmovdqu ymm0, [rax]; vmovdqu64 [rdi + 0x40], zmm1; vpbroadcastd ymm0, [rax]
    assert_eq!(
        events(&[0xc5, 0xfe, 0x6f, 0x00], &mut fake()),
        [load(RAX, 32)]
    );
    let stored = events(&[0x62, 0xf1, 0xfe, 0x48, 0x7f, 0x4f, 0x01], &mut fake());
    assert_eq!(stored, [store(RDI + 0x40, 64)]);
    let broadcast = events(&[0xc4, 0xe2, 0x7d, 0x58, 0x00], &mut fake());
    assert_eq!(broadcast, [load(RAX, 4)]);
}

#[test]
fn masked_vectors() {
    let mut registers = fake();
    registers.masks[1] = 0b1_0010_0001;
    // vmovdqu32 [rax] {k1}, zmm0
    let stored = events(&[0x62, 0xf1, 0x7e, 0x49, 0x7f, 0x00], &mut registers);
    assert_eq!(stored, [0, 5, 8].map(|i| store(RAX + 4 * i, 4)));
    // vpcompressd [rax] {k1}, zmm0
    let stored = events(&[0x62, 0xf2, 0x7d, 0x49, 0x8b, 0x00], &mut registers);
    assert_eq!(stored, [0, 1, 2].map(|i| store(RAX + 4 * i, 4)));
    // vpaddd zmm0 {k1}, zmm0, [rax] {1to16}
    let sum = [0x62, 0xf1, 0x7d, 0x59, 0xfe, 0x00];
    assert_eq!(events(&sum, &mut registers), [load(RAX, 4)]);
    registers.masks[1] = 0;
    assert_eq!(events(&sum, &mut registers), []);
    // vpmaskmovd ymm0, ymm1, [rax]; vpmaskmovd [rax], ymm1, ymm0
    registers.vectors[1] = words(std::array::from_fn(|i| if i % 3 == 0 { -1 } else { 1 }));
    let loaded = events(&[0xc4, 0xe2, 0x75, 0x8c, 0x00], &mut registers);
    assert_eq!(loaded, [0, 3, 6].map(|i| load(RAX + 4 * i, 4)));
    let stored = events(&[0xc4, 0xe2, 0x75, 0x8e, 0x00], &mut registers);
    assert_eq!(stored, [0, 3, 6].map(|i| store(RAX + 4 * i, 4)));
}

#[test]
fn gathers_and_scatters() {
    let mut registers = fake();
    registers.vectors[1] = words(std::array::from_fn(|i| 3 - 2 * i as i32));
    let place = |i: u64| RAX.wrapping_add(4_u64.wrapping_mul(3_u64.wrapping_sub(2 * i)));
    // vpgatherdd ymm0, [rax + 4 * ymm1], ymm2
    registers.vectors[2] = words(std::array::from_fn(
        |i| if i == 1 || i == 7 { -1 } else { 0 },
    ));
    let gathered = events(&[0xc4, 0xe2, 0x6d, 0x90, 0x04, 0x88], &mut registers);
    assert_eq!(gathered, [1, 7].map(|i| load(place(i), 4)));
    // vpgatherdd zmm0 {k1}, [rax + 4 * zmm1]
    registers.masks[1] = 1 << 15 | 1;
    let gathered = events(&[0x62, 0xf2, 0x7d, 0x49, 0x90, 0x04, 0x88], &mut registers);
    assert_eq!(gathered, [0, 15].map(|i| load(place(i), 4)));
    // vpscatterdd [rax + 4 * zmm1] {k1}, zmm0
    let scattered = events(&[0x62, 0xf2, 0x7d, 0x49, 0xa0, 0x04, 0x88], &mut registers);
    assert_eq!(scattered, [0, 15].map(|i| store(place(i), 4)));
    // vpgatherqd xmm0, [rax + 4 * ymm1], xmm2: four indexes of eight bytes
    let mut indexes = [0; 64];
    indexes[8] = 5;
    registers.vectors[1] = indexes;
    registers.vectors[2] = [0xff; 64];
    let gathered = events(&[0xc4, 0xe2, 0x6d, 0x91, 0x04, 0x88], &mut registers);
    assert_eq!(gathered, [0, 5, 0, 0].map(|i| load(RAX + 4 * i, 4)));
}
