internal import CrashModel

/// The patterns with which allocators and debuggers fill memory, to be recognised in a crash.
struct FillPattern {
  let kind: Fault.Kind
  /// The text after "a pattern of".
  let words: String
  /// The program that writes the pattern, where no other one does.
  let filler: Filler?

  /// The pattern that a value begins with, if only its low 16 bits differ: by an offset that was added.
  ///
  /// - Parameter bits: The bits of an address.
  init?(_ value: UInt64, bits: Int) {
    guard value > 0xffff else { return nil }
    for (pattern, kind, words, filler) in Self.words {
      let whole = bits == 64 ? UInt64(pattern) << 32 | UInt64(pattern) : UInt64(pattern)
      let isHalf = bits == 64 && value >> 16 == UInt64(pattern) >> 16
      if value >> 16 == whole >> 16 || isHalf {
        self.init(kind: kind, words: words, filler: filler)
        return
      }
    }
    return nil
  }

  private init(kind: Fault.Kind, words: String, filler: Filler?) {
    self.kind = kind
    self.words = words
    self.filler = filler
  }

  /// Sources: `JSString` and `js/src/util/Poison.h` of Firefox; mozjemalloc; jemalloc's `junk`; PartitionAlloc;
  /// the debug heap of Microsoft's C library; `MallocScribble` of Apple.
  private static let words: [(UInt32, Fault.Kind, String, Filler?)] = {
    var list: [(UInt32, Fault.Kind, String, Filler?)] = []
    func add(_ bytes: [UInt32], _ kind: Fault.Kind, _ words: String, by filler: Filler? = nil) {
      for byte in bytes { list.append((byte * 0x0101_0101, kind, words, filler)) }
    }
    add([0x5a, 0xe5], .freedMemory, "memory that jemalloc freed", by: .jemalloc)
    add([0xdd], .freedMemory, "memory that Microsoft's C library freed", by: .windows)
    add([0x55], .freedMemory, "memory that Apple's allocator freed", by: .apple)
    add([0xef], .freedMemory, "memory that PartitionAlloc freed")
    add([0xfe], .freedMemory, "freed memory")
    add(
      [0x2b, 0x2d, 0x2f, 0x49, 0x4b, 0x4d, 0x4f, 0x6b, 0x8b, 0x9b, 0x9f, 0xbb, 0xce, 0xdb],
      .freedMemory, "memory that SpiderMonkey freed", by: .spiderMonkey)
    list.append((0xfeee_feee, .freedMemory, "memory that the heap of Windows freed", .windows))
    list.append((0xdead_beef, .freedMemory, "freed or invalid memory (0xdeadbeef)", nil))
    list.append(
      (0xbaad_f00d, .uninitializedMemory, "memory that was never written (0xbaadf00d)", nil))
    add([0xa5, 0xcd, 0xcc, 0xaa, 0xbe], .uninitializedMemory, "memory that was never written")
    return list
  }()

  /// The text of an address whose bytes, apart from zeros above them, are letters and digits: `AAAA`.
  ///
  /// - Parameter size: The size of an address. With 8 bytes, at least 5 must be text, so that ordinary
  ///   addresses do not match.
  static func text(within value: UInt64, size: Int) -> String? {
    let count = (64 - value.leadingZeroBitCount + 7) / 8
    guard count >= (size == 4 ? 4 : 5), let text = text(value, size: count),
      text.allSatisfy({ $0.isLetter || $0.isNumber })
    else { return nil }
    return text
  }

  /// The text in the bytes of an address: `AAAAAAAA`; `nil` unless all of them are text.
  static func text(_ value: UInt64, size: Int) -> String? {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
