import Bytes
import Identifiers
import ObjectFormats
import TestSupport
import Testing
import UnwindRules

/// Compares with the rows that readelf computes.
@Suite("Call frame information compared with readelf")
struct ReadelfTests {
  static let folder = Samples.debugFile("variants/")

  static let files = [
    "aarch64", "armv7a", "cpp-clang", "cpp-gcc", "compressed-zstd", "debuglink.debug",
    "dwarf2-clang", "dwarf64-clang", "dwarf5-gcc", "dwz-gcc", "gc-sections-bfd",
    "gc-sections-gcc-dwarf4", "i386", "icf", "lto-clang", "mips", "plain", "powerpc", "powerpc64",
    "riscv64", "s390x", "unoptimised-clang", "unoptimised-gcc",
  ]

  /// One row of readelf's.
  struct Row {
    var start: UInt64
    var end: UInt64
    var cfa: String
    /// By the names of registers; without those that are lost.
    var rules: [String: String]
  }

  @Test("Every row is there", arguments: files)
  func agreement(file: String) throws {
    let tool = try #require(OtherTool.path("readelf"), "it belongs to binutils")
    let printed = try #require(
      OtherTool.output(of: "\(tool) --debug-dump=frames-interp -W \(Self.folder)\(file) 2>&1"))
    let object = try ObjectFile.objects(in: ByteView(mapping: Self.folder + file))[0]
    let rules = try UnwindRules(opening: UnwindRules.compile(object))
    #expect(rules.notes.isEmpty)
    var count = 0
    for row in Self.rows(in: printed) {
      guard object.executableRanges.contains(where: { $0.contains(row.start) }) else { continue }
      for address in [row.start, row.end - 1] {
        let found = rules.lookUp(UInt32(address - object.imageBase))
        let ours = found.map { Self.row($0, rules) }
        #expect(
          ours?.cfa == row.cfa && ours?.rules == row.rules,
          "0x\(String(address, radix: 16)): \(String(describing: ours)) in place of \(row)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  private static func signed(_ number: Int32) -> String { number < 0 ? "\(number)" : "+\(number)" }

  /// A row in readelf's format.
  private static func row(_ row: UnwindRow, _ rules: UnwindRules) -> (
    cfa: String, rules: [String: String]
  ) {
    let registers = UnwindRegisters(rules.architecture)
    // readelf has no names for some.
    func name(_ register: UInt16) -> String {
      let isNumbered = ["arm", "mips", "ppc", "ppc64"].contains(rules.architecture.description)
      return isNumbered ? "r\(register)" : registers.name(of: register)
    }
    let cfa =
      switch row.cfa {
      case .register(let register, let offset): name(register) + signed(offset)
      case .expression: "exp"
      case .unknown: "?"
      }
    var found: [String: String] = [:]
    for index in 0..<row.ruleCount {
      let (register, rule) = rules.rule(index, of: row)
      let value: String? =
        switch rule {
        case .undefined: nil
        case .sameValue: "s"
        case .offset(let offset): "c" + signed(offset)
        case .valueOffset(let offset): "v" + signed(offset)
        case .register(let other): name(other)
        case .expression: "exp"
        case .valueExpression: "vexp"
        }
      found[register == row.returnAddressRegister ? "ra" : name(register)] = value
    }
    return (cfa, found)
  }

  // MARK: Parsing readelf's output

  static func rows(in text: String) -> [Row] {
    var commons: [String: Row] = [:]
    var all: [Row] = []
    var entry: (isCommon: Bool, name: String, start: UInt64, end: UInt64)?
    var rows: [Row] = []
    var columns: [Substring] = []
    func finish() {
      guard let entry else { return }
      if entry.isCommon {
        commons[entry.name] = rows.first
        return
      }
      if rows.isEmpty, var row = commons[entry.name] {
        row.start = entry.start
        rows = [row]
      }
      for index in rows.indices {
        rows[index].end = index + 1 < rows.count ? rows[index + 1].start : entry.end
      }
      all += rows.filter { $0.start < min($0.end, entry.end) }
    }
    for line in text.split(separator: "\n") {
      let words = line.replacing("%", with: "").split(separator: " ")
      if line.hasPrefix("Contents of") {
        finish()
        entry = nil
        commons = [:]
      } else if words.count > 3, words[3] == "CIE" || words[3] == "FDE" {
        finish()
        rows = []
        if words[3] == "CIE" {
          entry = (true, String(words[0]), 0, 0)
        } else {
          let place = words.first { $0.hasPrefix("pc=") }?.dropFirst(3).split(separator: ".") ?? []
          let common = words.first { $0.hasPrefix("cie=") }?.dropFirst(4) ?? ""
          entry = (
            false, String(common), place.first.flatMap { UInt64($0, radix: 16) } ?? 0,
            place.last.flatMap { UInt64($0, radix: 16) } ?? 0
          )
        }
      } else if words.first == "LOC" {
        columns = Array(words.dropFirst(2))
      } else if words.count >= 2, words[1] != "ZERO", let start = UInt64(words[0], radix: 16) {
        var rules: [String: String] = [:]
        for (name, value) in zip(columns, words.dropFirst(2)) where value != "u" {
          rules[String(name)] = String(value)
        }
        rows.append(Row(start: start, end: 0, cfa: String(words[1]), rules: rules))
      }
    }
    finish()
    return all
  }
}
