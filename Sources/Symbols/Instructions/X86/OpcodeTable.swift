/// The opcodes of x86, read from `opcodes.txt` when first asked for.
struct OpcodeTable: Sendable {
  /// The meaning of an opcode.
  struct Entry: Sendable {
    /// 0x66, 0xf3 or 0xf2.
    var prefix: UInt8?
    var isVEXOnly = false
    /// The register field of ModRM.
    var field: UInt8?
    /// Whether it is a form with memory, or with registers only.
    var isMemoryForm: Bool?
    /// Whether it exists in 64-bit mode, or only in the others.
    var is64Bit: Bool?
    var name = ""
    /// Whether the VEX form has a further register.
    var hasSecondSource = false
    var hasFurtherDestination = false
    var operands: [Operand] = []
    var effects: Set<String> = []
    var needsModRM: Bool { field != nil || operands.contains { $0.needsModRM } }
  }

  /// An operand in Intel's notation.
  struct Operand: Sendable {
    enum Access {
      case none, read, write, update
    }

    let access: Access
    /// `E`, `G`, `I`...; 0 for a register or number given by name.
    let kind: UInt8
    /// The text after the kind, or the name.
    let size: String

    var needsModRM: Bool { "EGMRVWPQSCDUNK".utf8.contains(kind) }
  }

  private var entries: [UInt16: [Entry]] = [:]

  static let shared = OpcodeTable(PackageResources.opcodes_txt)

  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      add(String(decoding: line, as: UTF8.self))
    }
  }

  /// - Parameters:
  ///   - map: 0 for one byte, 1 after 0f, 2 after 0f38, 3 after 0f3a.
  ///   - prefix: The last of 0x66, 0xf3 and 0xf2 that selects an instruction.
  ///   - modRM: The next byte, if there is one.
  func entry(
    _ map: Int, _ opcode: UInt8, prefix: UInt8?, modRM: UInt8?, isVEX: Bool, is64Bit: Bool
  ) -> Entry? {
    var best: Entry?
    for entry in entries[UInt16(map) << 8 | UInt16(opcode)] ?? [] {
      if let mode = entry.is64Bit, mode != is64Bit { continue }
      if let wanted = entry.prefix, wanted != prefix { continue }
      if entry.isVEXOnly, !isVEX { continue }
      if entry.prefix == nil, isVEX, prefix != nil { continue }
      if let field = entry.field, field != modRM.map({ $0 >> 3 & 7 }) { continue }
      if let isMemory = entry.isMemoryForm, isMemory != modRM.map({ $0 < 0xc0 }) { continue }
      if let known = best {
        guard known.prefix == nil && entry.prefix != nil || !known.isVEXOnly && entry.isVEXOnly
        else { continue }
      }
      best = entry
    }
    return best
  }

  private mutating func add(_ line: String) {
    let words = line.split(separator: " ")
    var key = words[0]
    var entry = Entry()
    for (text, prefix) in [("66.", UInt8(0x66)), ("f3.", 0xf3), ("f2.", 0xf2)]
    where key.hasPrefix(text) {
      entry.prefix = prefix
      key = key.dropFirst(3)
    }
    if key.first == "v" {
      entry.isVEXOnly = true
      key = key.dropFirst()
    }
    if key.last == "m" || key.last == "r" { entry.isMemoryForm = key.removeLast() == "m" }
    if let slash = key.firstIndex(of: "/") {
      entry.field = UInt8(key[key.index(after: slash)...])
      key = key[..<slash]
    }
    var map: UInt16 = 0
    for (text, number) in [("0f38", UInt16(2)), ("0f3a", 3), ("0f", 1)]
    where key.count > text.count && key.hasPrefix(text) && map == 0 {
      map = number
      key = key.dropFirst(text.count)
    }
    guard let opcode = UInt16(key, radix: 16) else { return }
    var name = words[1]
    if name.first == "^" || name.first == "%" {
      let mark = name.removeFirst()
      entry.hasSecondSource = mark == "^"
      entry.hasFurtherDestination = mark == "%"
    }
    entry.name = String(name)
    for word in words[2...] {
      if word.first == ";" {
        let effect = word.dropFirst()
        if effect == "32" || effect == "64" {
          entry.is64Bit = effect == "64"
        } else {
          entry.effects.insert(String(effect))
        }
      } else {
        entry.operands.append(Self.operand(word, isFirst: entry.operands.isEmpty))
      }
    }
    entries[map << 8 | opcode, default: []].append(entry)
  }

  private static func operand(_ word: Substring, isFirst: Bool) -> Operand {
    var word = word
    var access: Operand.Access = isFirst ? .update : .read
    switch word.first {
    case ">": access = .write
    case "<": access = .read
    case "~": access = .none
    default: break
    }
    if let first = word.first, "<>~".contains(first) { word.removeFirst() }
    guard let kind = word.utf8.first, kind >= 0x41, kind <= 0x5a else {
      return Operand(access: .none, kind: 0, size: String(word))
    }
    return Operand(access: access, kind: kind, size: String(word.dropFirst()))
  }
}
