internal import Demangling

/// Gives a function one spelling, whatever compiler, platform or tool wrote its name.
enum NameNormaliser {
  /// The normalised name; empty where the report has none.
  static func normalise(_ raw: String) -> NameBytes {
    var name = Scrubbing.scrub(raw, limit: SigningLimits.nameBytes, spellsOut: true)
    guard !isMissing(name) else { return [] }
    name = NameMarks.withoutSymbolMarks(name)
    if let text = demangled(name) { name = text }
    if let text = GeneratedName.unescaped(name) { name = text }
    var output = GeneratedName.spelled(name) ?? spell(name)
    GeneratedName.shorten(&output)
    if !output.contains(where: { $0.isIdentifier || $0 >= 0x80 }) { output = name }
    Scrubbing.shorten(&output, to: SigningLimits.tokenBytes)
    return output
  }

  /// Whether `name` is a tool's placeholder for an unknown name.
  static func isMissing(_ name: NameBytes) -> Bool {
    switch name.at(0) {
    case 0: return true
    case UInt8(ascii: "?"): return name.allSatisfy { $0 == UInt8(ascii: "?") }
    case UInt8(ascii: "<"):
      return name.has("<unknown") || name == Array("<redacted>".utf8)
        || name == Array("<name omitted>".utf8) || name == Array("<null>".utf8)
        || name == Array("<unavailable>".utf8)
    case UInt8(ascii: "0"):
      return name.has("0x") && name.dropFirst(2).allSatisfy { $0.isHexDigit }
    case UInt8(ascii: "("):
      return name == Array("(null)".utf8) || name == Array("(unknown)".utf8)
    default: return false
    }
  }

  private static func demangled(_ name: NameBytes) -> NameBytes? {
    let first = name[0]
    guard first == UInt8(ascii: "_") || first == UInt8(ascii: "$") else { return nil }
    let text = name.text
    guard Demangler.looksMangled(text), let demangled = Demangler.demangle(text) else { return nil }
    return Scrubbing.scrub(demangled, limit: Demangler.outputLimit)
  }

  /// Decides which language wrote `name` and hands it to that language's rules.
  private static func spell(_ name: NameBytes) -> NameBytes {
    if name[0] == UInt8(ascii: "-") || name[0] == UInt8(ascii: "+"), name.at(1) == UInt8(ascii: "[")
    {
      return ClassCluster.method(ObjectiveCName.method(name))
    }
    // `<signal handler called>`, `<module>`: a tool's placeholder, not a name.
    if name[0] == UInt8(ascii: "<"), name.last == UInt8(ascii: ">"), name.find("::") == nil {
      return name
    }
    if let block = BlockName.normalise(name) { return block }
    let isIdentifier = name.allSatisfy { $0.isIdentifier }
    if isIdentifier { return LibraryName.plain(name) }
    if SwiftName.isSwift(name) { return SwiftName.normalise(name) }
    let stem = NameMarks.removed(from: name)
    guard !stem.isEmpty else { return name }
    if stem.allSatisfy({ $0.isIdentifier }) { return LibraryName.plain(stem) }
    if let managed = ManagedName.normalise(stem) { return managed }
    guard let output = CxxName.normalise(stem) else { return name }
    if output.allSatisfy({ $0.isIdentifier }) { return LibraryName.plain(output) }
    return output
  }
}
