public import Bytes
internal import JSON

extension ImagePackage {
  /// The type of the note, whose owner is `FDO`.
  public static let noteType: UInt32 = 0xcafe_1a7e

  /// Linkers write some two hundred bytes.
  private static let limits = JSONLimits(depth: 8, bytes: 16 << 10, nodes: 256, stringBytes: 1024)

  /// - Parameter note: The content of the note: a JSON object, zeros after it.
  /// - Returns: `nil` where it names no package, or is not whole.
  public init?(note: ByteView) {
    let text = note.clamped(0..<(note.array.firstIndex(of: 0) ?? note.count))
    guard let parse = try? JSONDocument.parse(text, limits: Self.limits), parse.cut == nil,
      let name = parse.value.text("name")
    else { return nil }
    let value = parse.value
    let system = [value.text("os"), value.text("osVersion")].compactMap(\.self)
    self.init(
      type: value.text("type"), name: name, version: value.text("version"),
      architecture: value.text("architecture"),
      os: system.isEmpty ? nil : system.joined(separator: " "), osCPE: value.text("osCpe"),
      debugInfoURL: value.text("debugInfoUrl"))
  }
}

extension JSONValue {
  fileprivate func text(_ key: String) -> String? {
    guard let text = self[key]?.string, !text.isEmpty else { return nil }
    return text
  }
}
