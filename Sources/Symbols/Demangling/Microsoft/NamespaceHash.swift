/// Readable names in PDBs of Microsoft's compiler, where an anonymous namespace is a hash:
/// `app::?A0xc3a0617d::run`.
enum NamespaceHash {
  /// `name` with `(anonymous namespace)` in the place of hashes; `nil` where there is none.
  ///
  /// - Complexity: O(length).
  static func spelledOut(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    guard var index = name.firstIndex(of: UInt8(ascii: "?")),
      name.count <= Demangler.recursingNameLimit,
      !name.contains(0)
    else { return nil }
    var text: [UInt8] = []
    var copied = 0
    while index < name.count {
      guard name[index] == UInt8(ascii: "?"), let end = hashEnd(name, index) else {
        index += 1
        continue
      }
      text.append(contentsOf: name[copied..<index])
      text.append(contentsOf: "(anonymous namespace)".utf8)
      (copied, index) = (end, end)
    }
    guard copied > 0 else { return nil }
    text.append(contentsOf: name[copied...])
    return String(decoding: text, as: UTF8.self)
  }

  /// The end of `?A0x` and hexadecimal digits before `::`.
  private static func hashEnd(_ name: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    guard name[start...].starts(with: "?A0x".utf8) else { return nil }
    var end = start + 4
    while end < name.count, isHexDigit(name[end]) { end += 1 }
    guard end > start + 4, name[end...].starts(with: "::".utf8) else { return nil }
    return end
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
