import Bytes
import CrashModel
import TestSupport
import Testing

@testable import Grouping

@Suite("Lists of rules")
struct RuleListTests {
  private static let folder = Samples.root + "/Sources/Reports/Grouping/Rules"

  @Test("The program contains each file of the folder unchanged, and nothing else")
  func files() throws {
    let files = try FolderListing.names(in: Self.folder)
    #expect(files == GroupingRules.v1.lists.map(\.name).sorted())
    for (name, text) in GroupingRules.v1.lists {
      let file = try ByteView(reading: "\(Self.folder)/\(name)", limit: 1 << 20)
      #expect(file.array == Array(text.utf8) + [UInt8(ascii: "\n")], "\(name)")
      #expect(GroupingRules.v1.purpose(of: name)?.isEmpty == false)
    }
  }

  @Test("Each line is a comment, a rule or empty", arguments: GroupingRules.v1.lists.map(\.name))
  func lines(list: String) throws {
    let text = try #require(GroupingRules.v1.lists.first { $0.name == list }?.text)
    let bytes = NameBytes(text.utf8)
    let rules = ListedRule.lines(of: bytes)
    #expect(!rules.isEmpty)
    for (number, range) in rules {
      #expect(throws: Never.self) {
        try ListedRule(bytes[range], list: list, line: number, frameClass: nil)
      }
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(line.last != " " && !line.contains("\r") && !line.contains("\u{fffd}"), "\(line)")
      #expect(!line.hasPrefix("#") || line.hasPrefix("# "), "\(line)")
    }
  }

  @Test("The lists of a version stay, as its digest proves")
  func digest() {
    let digest = "371681b075c2d40d288af9162f093d46e31a98f1c82600c21791dff1d07f2986"
    #expect(GroupingRules.v1.digest == digest)
    #expect(GroupingRules(builtIn: "v1") == .v1 && GroupingRules(builtIn: "v2") == nil)
    #expect(Signer(rules: .v1).rules.version == "v1")
  }

  @Test("A signer can be made without one list, which gives functions another class")
  func withoutList() {
    let report = ReportBuilder("raise\nshop::f()\nmain")
    #expect(report.text == "shop::f")
    let signer = Signer(rules: .v1, without: "death.rules")
    #expect(signer?.signature(of: report.report, app: "shop").text == "raise")
    #expect(Signer(rules: .v1, without: "death") == nil)
  }

  @Test("The form of a generated name wins over its namespace")
  func generated() {
    let names = [
      "__sanitizer::Die{lambda}::__invoke", "std::rt::start{lambda}::_FUN",
      "kotlinx.coroutines.BuildersKt$$ExternalSyntheticOutline.m",
    ]
    for name in names {
      let steps = ReportBuilder("\(name)\nshop::f()\nmain").signature.steps
      let step = steps.first { $0.frame == 0 }
      #expect(step?.frameClass == "glue" && step?.rule.hasPrefix("generated.rules:") == true)
    }
  }

  @Test(
    "A damaged line is an error that names it",
    arguments: [
      ("abort  abvoe", "death.rules:7: abvoe is not an option"),
      ("abort  above  bottom  x", "death.rules:7: x is not an option"),
      ("  above", "death.rules:7: \"\" is not a pattern"),
      (" abort", "death.rules:7: \" abort\" is not a pattern"),
      ("abort\tabove", "death.rules:7: \"abort\tabove\" is not a pattern"),
    ])
  func damaged(line: String, text: String) {
    let error = #expect(throws: RuleError.self) {
      try ListedRule(NameBytes(line.utf8)[...], list: "death.rules", line: 7, frameClass: .death)
    }
    #expect(error?.description == text)
  }
}
