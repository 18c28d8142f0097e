import Bytes
import CrashModel
import Glibc
import TestSupport
import Testing

@testable import Grouping

@Suite("Compiled rules")
struct CompiledRulesTests {
  private static let file = Samples.root + "/Sources/C/CRules/v1.table"

  private static func texts(of rules: [RuleList]) throws -> [[UInt8]] {
    try rules.map {
      let path = "\(Samples.root)/Sources/Reports/Grouping/Rules/\($0.name)"
      return try ByteView(reading: path, limit: 1 << 20).array
    }
  }

  @Test("The program has what its lists compile to; `make rules` renews it")
  func isCurrent() throws {
    let texts = try Self.texts(of: RuleLists.v1)
    let compiled = RuleCompiler.compile("v1", RuleLists.v1, texts)
    if GoldenFolder.isRenewing {
      let file = try #require(fopen(Self.file, "w"))
      #expect(fwrite(compiled, 1, compiled.count, file) == compiled.count)
      #expect(fclose(file) == 0)
      return
    }
    #expect(try ByteView(reading: Self.file, limit: 1 << 24).array == compiled)
    #expect(RulesVersion.v1.file.view.array == compiled)
  }

  @Test("A table finds what trying every rule finds", arguments: RuleFile.Table.allCases)
  func matches(table: RuleFile.Table) throws {
    let rules = try Self.rules(of: table)
    let compiled = PatternTable(table, of: RulesVersion.v1.file)
    for (number, rule) in rules.enumerated() {
      let names = Self.names(for: rule).filter(rule.pattern.fits)
      #expect(!names.isEmpty, "\(rule.id)")
      for name in names {
        let matches = compiled.matches(name, hash: PatternTable.hash(name))
        #expect(matches.contains(Int32(number)), "\(rule.id): \(name.text)")
      }
    }
    // To try every rule takes long.
    let every = max(1, rules.count / 40)
    for name in TestSize.some(of: rules, small: every).flatMap({ Self.names(for: $0) }) {
      let hash = PatternTable.hash(name)
      let expected = rules.indices.reversed().filter { rules[$0].pattern.fits(name) }
      #expect(compiled.matches(name, hash: hash).map(Int.init) == expected, "\(name.text)")
      let last = compiled.match(name)
      #expect(last?.id == expected.first.map { rules[$0].id }, "\(name.text)")
      guard let last, let rule = expected.first.map({ rules[$0] }) else { continue }
      #expect(last.frameClass == rule.frameClass && last.origin == rule.origin)
      #expect(last.dropsAbove == rule.options.contains(.above))
      #expect(last.onlyAtBottom == rule.options.contains(.bottom))
      #expect(last.onlyOutsideApp == rule.options.contains(.notApp))
      #expect(last.isEntry == rule.options.contains(.entry))
      #expect(last.holdsForScripts == rule.options.contains(.scripts))
      for module in [nil, "libc.so", "ntdll.dll", "Foundation", "ld-linux-x86-64.so"] {
        let module = module.map { NameBytes($0.utf8) }
        let fits = rule.module.map { pattern in
          module.map { NamePattern(pattern.bytes).fits($0) } ?? false
        }
        #expect(last.fits(module: module) == fits ?? true)
      }
    }
  }

  /// The rules of a table by the roles of lists.
  private static func rules(of table: RuleFile.Table) throws -> [ListedRule] {
    let dot = UInt8(ascii: ".")
    var rules: [ListedRule] = []
    for (list, text) in zip(RuleLists.v1, try texts(of: RuleLists.v1)) {
      let isOfSwift = list.role == .swift && "\(table)".hasPrefix("swift")
      let isOfClasses = if case .frameClass = list.role { table == .classes } else { false }
      guard isOfSwift || isOfClasses || "\(list.role)" == "\(table)" else { continue }
      for (number, range) in ListedRule.lines(of: text) {
        let rule = try ListedRule(
          text[range], list: list.name, line: number, frameClass: list.frameClass)
        let bytes = rule.pattern.bytes
        let swift: RuleFile.Table =
          bytes.first == dot ? .swiftMembers : bytes.last == dot ? .swiftTypes : .swiftFunctions
        if !isOfSwift || swift == table { rules.append(rule) }
      }
    }
    return rules
  }

  /// Names that fit a rule, and the same with more and fewer bytes.
  private static func names(for rule: ListedRule) -> [NameBytes] {
    var text = rule.pattern.bytes.text
    text.replace("[A-Z]", with: "Q")
    text.replace("[0-9]", with: "7")
    text.replace("?", with: "x")
    let name = NameBytes(text.replacing("*", with: "").utf8)
    let wide = NameBytes(text.replacing("*", with: "xy::z").utf8)
    return [name, wide, name + [0x7A], [0x7A] + name, NameBytes(name.dropLast())]
  }
}
