/// How many bytes of memory an EVEX instruction accesses that the table of opcodes does not have: its
/// displacement of one byte counts in them.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.7.5 and the tuple
/// types of the instructions.
struct EVEXTuple {
  let map: Int
  let opcode: UInt8
  /// 0x66, 0xf3, 0xf2 or `nil`.
  let prefix: UInt8?
  let isWide: Bool
  /// 16, 32 or 64.
  let vectorSize: Int

  /// Whether the table's entry for this opcode belongs to another instruction, of the same opcode without EVEX.
  var isOfOtherInstruction: Bool {
    switch (map, opcode) {
    case (1, 0x78...0x7b), (2, 0x2c...0x2f): true
    case (1, 0xe6): prefix == 0xf3 && isWide
    default: false
    }
  }

  /// The bytes without broadcast.
  var size: Int {
    switch map {
    case 1: sizeOfMap1
    case 2: sizeOfMap2
    case 3: sizeOfMap3
    case 5: sizeOfMap5
    case 6: sizeOfMap6
    default: vectorSize
    }
  }

  /// The bytes of one element that is repeated.
  var broadcastSize: Int { isHalf ? 2 : element }

  /// Whether it writes its memory.
  var isStore: Bool {
    switch (map, opcode) {
    case (1, 0x11), (1, 0x13), (1, 0x17), (1, 0x29), (1, 0x2b), (1, 0x7f), (1, 0xd6), (1, 0xe7),
      (2, 0x63), (2, 0x8a), (2, 0x8b), (2, 0xa0...0xa3), (3, 0x19), (3, 0x1b), (3, 0x39),
      (3, 0x3b), (3, 0x14...0x17), (5, 0x11), (5, 0x7e):
      true
    case (2, 0x10...0x15), (2, 0x20...0x25), (2, 0x30...0x35): prefix == 0xf3
    default: false
    }
  }

  private var element: Int { isWide ? 8 : 4 }

  /// Whether elements are numbers of half precision.
  private var isHalf: Bool {
    switch (map, opcode) {
    case (3, 0x08...0x0a), (3, 0x26...0x27), (3, 0x56...0x57), (3, 0x66...0x67), (3, 0xc2):
      prefix == nil
    case (5, 0x1d): false
    case (5, 0x5a): prefix != 0x66
    case (5, 0x5b): prefix != nil
    case (5, 0x7a): prefix != 0xf2
    case (6, 0x56), (6, 0xd6): false
    default: map >= 5
    }
  }

  private var sizeOfMap1: Int {
    switch (opcode, prefix) {
    // Between numbers of 32 and of 64 bits.
    case (0x78...0x7b, 0x66), (0x7a, 0xf3), (0xe6, 0xf3): isWide ? vectorSize : vectorSize / 2
    case (0x78, 0xf3), (0x79, 0xf3): 4
    case (0x78, 0xf2), (0x79, 0xf2): 8
    case (0x7b, 0xf3), (0x7b, 0xf2): element
    default: vectorSize
    }
  }

  private var sizeOfMap2: Int {
    switch (opcode, prefix) {
    case (0x10...0x15, 0xf3), (0x20...0x25, 0xf3), (0x30...0x35, 0xf3):
      vectorSize / [2, 4, 8, 2, 4, 2][Int(opcode & 7)]
    case (0x2d, _), (0x43, _), (0x4d, _), (0x4f, _), (0x88...0x8b, _), (0xcb, _), (0xcd, _): element
    case (0x62, _), (0x63, _): isWide ? 2 : 1
    case (0x1b, _), (0x5b, _): 32
    case (0x52, 0xf2), (0x53, 0xf2), (0x9a, 0xf2), (0x9b, 0xf2), (0xaa, 0xf2), (0xab, 0xf2): 16
    default: vectorSize
    }
  }

  private var sizeOfMap3: Int {
    switch opcode {
    case 0x0a, 0x0b, 0x27, 0x51, 0x55, 0x57, 0x67: isHalf ? 2 : element
    case 0xc2: prefix == 0xf3 ? 2 : vectorSize
    case 0x1a, 0x1b, 0x3a, 0x3b: 32
    default: vectorSize
    }
  }

  private var sizeOfMap5: Int {
    switch (opcode, prefix) {
    case (0x1d, nil): 4
    case (0x5a, 0xf2): 8
    case (0x2a, 0xf3), (0x7b, 0xf3): element
    case (0x5a, nil), (0x78...0x7b, 0x66): vectorSize / 4
    case (0x5b, 0x66), (0x5b, 0xf3), (0x78, nil), (0x79, nil): vectorSize / 2
    case (0x2e, _), (0x2f, _), (0x6e, _), (0x7e, _): 2
    case (0x7d, _): vectorSize
    case (_, 0xf3): 2
    default: vectorSize
    }
  }

  private var sizeOfMap6: Int {
    switch (opcode, prefix) {
    case (0x13, nil), (0x2d, _), (0x43, _), (0x4d, _), (0x4f, _): 2
    case (0x13, _): vectorSize / 2
    case (0x57, _), (0xd7, _): 4
    // Of fused multiplications every second one is of single numbers.
    case (0x96...0xbf, _): opcode & 15 > 8 && opcode & 1 == 1 ? 2 : vectorSize
    default: vectorSize
    }
  }
}
