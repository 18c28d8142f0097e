import Grouping
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("mayday rules show")
struct RulesCommandTests {
  @Test("Every list has a purpose, numbered lines, and a meaning for each line")
  func lists() throws {
    let all = Run(["rules", "show"])
    #expect(all.status == 0 && all.errors.contains(GroupingRules.standard.digest))
    let lists = try #require(
      try ExplainHome.parse(Run(["rules", "show", "--json"]))["lists"]?.array)
    #expect(lists.count == GroupingRules.standard.lists.count)
    for list in lists {
      let name = try #require(list["list"]?.string)
      #expect(all.output.contains(name) && list["purpose"]?.string?.isEmpty == false)
      let lines = try #require(GroupingRules.standard.lines(of: name))
      #expect(lines.filter(\.isRule).count == list["rules"]?.integer)
      for line in lines where line.isRule {
        #expect(GroupingRules.standard.line(line.id) == line)
        let text = RuleText().lines(for: line)
        #expect(text.count > 2 && text.allSatisfy { $0.columns <= 80 }, "\(text)")
        #expect(!text.contains { $0.contains("an option of the rule") }, "\(line)")
      }
    }
  }

  @Test("One line of a list, and a number without a line")
  func line() throws {
    Golden.expect(Run(["rules", "show", "death.rules:2"]).output, is: "explain/rule.txt")
    let value = try ExplainHome.parse(Run(["rules", "show", "death.rules:2", "--json"]))
    #expect(value[0]?["rule"]?.string == "death.rules:2" && value[0]?["text"] != nil)
    for place in ["death.rules:0", "death.rules:99999", "birth.rules", "birth.rules:1", ":", ""] {
      let run = Run(["rules", "show", place])
      #expect(run.status == 3 && run.output == "", "\(place)")
    }
    #expect(Run(["rules"]).output == Run(["rules", "show"]).output)
  }
}
