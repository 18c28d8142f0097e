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
    #expect(files == GroupingRules.v2.lists.map(\.name).sorted())
    for (name, text) in GroupingRules.v2.lists {
      let file = try ByteView(reading: "\(Self.folder)/\(name)", limit: 1 << 20)
      #expect(file.array == Array(text.utf8) + [UInt8(ascii: "\n")], "\(name)")
      #expect(GroupingRules.v2.purpose(of: name)?.isEmpty == false)
    }
  }

  @Test("Each line is a comment, a rule or empty", arguments: GroupingRules.v2.lists.map(\.name))
  func lines(list: String) throws {
    let text = try #require(GroupingRules.v2.lists.first { $0.name == list }?.text)
    let rules = ListedRule.lines(of: text)
    #expect(!rules.isEmpty)
    for (number, line) in rules {
      #expect(throws: Never.self) {
        try ListedRule(line, id: "\(list):\(number)", frameClass: nil)
      }
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(line.last != " " && !line.contains("\r") && !line.contains("\u{fffd}"), "\(line)")
      #expect(!line.hasPrefix("#") || line.hasPrefix("# "), "\(line)")
    }
  }

  @Test("Version 2 has the lists of version 1 and then its own, and another digest")
  func versions() {
    let (first, second) = (GroupingRules.v1, GroupingRules.v2)
    #expect(second.lists.prefix(first.lists.count).elementsEqual(first.lists, by: ==))
    #expect(first.digest == "6fa88db743089d57b20e9416de7bdeb52844e941fef4a391af9d305352568c9c")
    #expect(second.digest != first.digest)
    #expect(first.line("death-2.rules:2") == nil)
    #expect(second.line("death-2.rules:2")?.text == "__libc_assert_fail  above")
    #expect(second.line("death.rules:12") == first.line("death.rules:12"))
    #expect(Signer(rules: second).rules.version == "v2")
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
      try ListedRule(line[...], id: "death.rules:7", frameClass: .death)
    }
    #expect(error?.description == text)
  }
}
