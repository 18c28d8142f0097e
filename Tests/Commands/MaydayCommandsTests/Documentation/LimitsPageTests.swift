import Arguments
import TestSupport
import Testing

@testable import MaydayCommands

/// The defaults on docs/reference/limits.md are those of the options.
@Suite("The page of limits") struct LimitsPageTests {
  @Test("Every option on the page exists, with the number before it as its default")
  func defaults() throws {
    let lines = try DocumentationPage("docs/reference/limits.md").lines
    let options = ProgramTests.commands.flatMap(\.options)
    var compared = 0
    for line in lines {
      for match in line.matches(of: /([0-9][0-9,]*)?([^0-9`]*)\(`(--[a-z-]+)`/) {
        let name = String(match.output.3)
        let named = options.filter { $0.displayName == name }
        #expect(!named.isEmpty, "no command has \(name)")
        // Sizes are printed in other units, and of some options the default is a sentence.
        let numbers = named.compactMap(\.defaultText).filter { Int($0) != nil }
        guard let number = match.output.1, !numbers.isEmpty else { continue }
        #expect(numbers.contains(number.filter { $0 != "," }), "\(name): \(number)")
        compared += 1
      }
    }
    #expect(compared >= 8)
  }
}
