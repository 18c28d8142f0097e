internal import Bytes
internal import Crypto
internal import Database
internal import Query

/// A value by which reports are found, stored once.
struct SearchTerm: Hashable, Sendable {
  let field: SearchField
  let text: String

  static func == (left: SearchTerm, right: SearchTerm) -> Bool {
    left.field == right.field && left.text.hasSameBytes(as: right.text)
  }

  /// The range of ids of the terms of `field`.
  static func ids(of field: SearchField) -> Range<Int> {
    (field.rawValue << 32)..<((field.rawValue + 1) << 32)
  }

  /// The number of a term in the column of its field.
  static func code(_ id: Int) -> Int { id & 0xffff_ffff }

  /// Separates the key and the value of a tag in one text.
  static let tagSeparator = "\u{1f}"

  static func tag(_ key: String, _ value: String) -> SearchTerm {
    let key = key.replacing(byte: 0x1f, with: UInt8(ascii: " "))
    return SearchTerm(field: .tag, text: key + tagSeparator + value)
  }

  /// Eight bytes of the SHA-256 of field and text, in lower case so that either case is found.
  var hash: Int { Self.hash(of: TextPattern.folded(text), in: field) }

  static func hash(of folded: [UInt8], in field: SearchField) -> Int {
    let digest = SHA256.digest(of: ByteView(folded + [UInt8(field.rawValue)]))
    return digest.prefix(8).reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Terms that reports share as a whole: the names on a stack, the tags of a report.
struct SearchSet: Sendable {
  /// Distinct terms, in an order independent of their order in the report.
  let terms: [SearchTerm]
  let digest: [UInt8]

  init(_ terms: some Sequence<SearchTerm>) {
    var sorted = Set(terms).sorted {
      ($0.field.rawValue, $0.text) < ($1.field.rawValue, $1.text)
    }
    if zip(sorted, sorted.dropFirst()).contains(where: { $0.text == $1.text }) {
      // The order of texts that only differ in their bytes must not depend on the set's.
      sorted.sort { one, other in
        (one.field.rawValue, one.text) < (other.field.rawValue, other.text)
          || (one.field, one.text) == (other.field, other.text)
            && one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
      }
    }
    self.terms = sorted
    var bytes: [UInt8] = []
    for term in self.terms {
      bytes.append(UInt8(term.field.rawValue))
      bytes.append(contentsOf: term.text.utf8)
      bytes.append(0)
    }
    digest = Array(SHA256.digest(of: ByteView(bytes)).prefix(16))
  }

  /// Term numbers in ascending order, as they are stored: differences in groups of seven bits,
  /// lowest first.
  static func encode(_ ids: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    var last = 0
    for id in ids {
      var rest = id - last
      last = id
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    var ids: [Int] = []
    _ = contains(in: bytes) {
      ids.append($0)
      return false
    }
    return ids
  }

  /// Whether `test` holds for one of the numbers; decoding stops at the first match.
  @inline(__always)
  static func contains(in bytes: UnsafeRawBufferPointer, _ test: (Int) -> Bool) -> Bool {
    var last = 0
    var value = 0
    var shift = 0
    for byte in bytes {
      value |= Int(byte & 0x7f) << min(shift, 56)
      shift += 7
      guard byte < 0x80 else { continue }
      last &+= value
      if test(last) { return true }
      value = 0
      shift = 0
    }
    return false
  }
}
