import Arguments
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("The manual")
struct ManualTests {
  private let folder = ScratchFolder()

  @Test("Every command that help shows has a page with everything it declares")
  func pages() throws {
    let run = Run(["man", "--all", folder.path])
    #expect(run.status == 0 && run.output == "" && run.errors.contains("pages written to"))
    for command in ProgramTests.commands {
      let words = Array(command.path.dropFirst())
      let page = Run(["man"] + words).output
      #expect(
        page == OtherTool.output(of: "cat \(folder.path)/\(command.path.joined(separator: "-")).1"))
      for section in ["NAME", "SYNOPSIS", "OPTIONS", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"] {
        let heading = section.contains(" ") ? "\"\(section)\"" : section
        #expect(page.contains(".SH \(heading)\n"), "\(words) \(section)")
      }
      for option in command.options {
        let name = option.displayName.split(separator: "-", omittingEmptySubsequences: false)
          .joined(separator: "\\-")
        #expect(page.contains("\\fB\(name)\\fR"), "\(words) \(name)")
      }
    }
    #expect(Run(["man"]).output.contains(".SH FILES\n"))
  }

  @Test(
    "mandoc has nothing to object to",
    .enabled(if: Mandoc.path != nil, "mandoc is not installed"))
  func lint() throws {
    let mandoc = try #require(Mandoc.path)
    _ = Run(["man", "--all", folder.path])
    let pages = ProgramTests.commands.map {
      folder.path + "/" + $0.path.joined(separator: "-") + ".1"
    }
    let run = Run(["-T", "lint", "-W", "warning"] + pages, program: mandoc)
    #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.output)")
  }

  @Test("An unknown command and a missing folder are reported")
  func wrong() {
    let unknown = Run(["man", "symbols", "ad"])
    #expect(unknown.status == 2 && unknown.errors.contains("unknown command 'ad' of 'symbols'"))
    let missing = Run(["man", "--all", folder.path("none")])
    #expect(missing.status == 3 && missing.errors.contains(folder.path("none")))
    #expect(Run(["man", "groups", "--all", folder.path]).status == 2)
  }
}

/// A man page reader that also validates.
private enum Mandoc {
  static let path = OtherTool.path("mandoc")
}
