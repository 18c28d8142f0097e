internal import Bytes

/// The classes of a mapping by both of their names, as flat arrays: the text stays in the mapping.
struct R8ClassTable: Sendable {
  /// The most classes that are read; the rest is ignored. Android's programs have a tenth of it at most.
  static let mostClasses = 4 << 20

  /// The offset of each class's line, in the order of the file; a class extends to the next one.
  private(set) var starts: [Int] = []
  private let obfuscated: NameIndex
  private let originals: NameIndex
  /// Whether classes were left out.
  private(set) var isCut = false

  /// - Complexity: O(n) in the bytes, O(k log k) in the classes.
  init(of mapping: ByteView, seed: UInt64) {
    let bytes = mapping.bytes
    var obfuscatedHashes: [UInt64] = []
    var originalHashes: [UInt64] = []
    var lines = R8Lines(R8Header.start(of: bytes)..<bytes.byteCount)
    while true {
      let start = lines.position
      guard let line = lines.next(in: bytes) else { break }
      guard !lines.isIndented, let first = line.first, bytes.byte(first) != UInt8(ascii: "#"),
        let names = R8ClassLine(line, in: bytes)
      else { continue }
      guard starts.count < Self.mostClasses else {
        isCut = true
        break
      }
      starts.append(start)
      obfuscatedHashes.append(Self.hash(names.obfuscated, in: bytes, seed: seed))
      originalHashes.append(Self.hash(names.original, in: bytes, seed: seed))
    }
    obfuscated = NameIndex(obfuscatedHashes)
    originals = NameIndex(originalHashes)
  }

  private static func hash(_ name: Range<Int>, in bytes: RawSpan, seed: UInt64) -> UInt64 {
    bytes.contentHash(from: name.lowerBound, count: name.count, seed: seed)
  }

  /// The classes whose name in the app has this hash, in the order of the file.
  func classes(withObfuscatedHash hash: UInt64) -> ArraySlice<UInt32> { obfuscated[hash] }

  /// The classes whose name in the source has this hash, in the order of the file.
  func classes(withOriginalHash hash: UInt64) -> ArraySlice<UInt32> { originals[hash] }
}

/// Numbers in the order of their hashes.
private struct NameIndex: Sendable {
  private let hashes: [UInt64]
  private let numbers: [UInt32]

  /// - Parameter hashes: By number.
  init(_ hashes: [UInt64]) {
    let order = hashes.indices.sorted { (hashes[$0], $0) < (hashes[$1], $1) }
    self.hashes = order.map { hashes[$0] }
    numbers = order.map { UInt32($0) }
  }

  subscript(hash: UInt64) -> ArraySlice<UInt32> {
    let first = hashes.lowerBound { $0 < hash }
    let end = hashes[first...].lowerBound { $0 == hash }
    return numbers[first..<end]
  }
}
