import Bytes
import TestSupport
import Testing

/// The README's session, run again: what it shows is what the program prints.
///
/// Commands stand in indented blocks after `$ `, what they print below them. A line of three dots
/// stands for any lines, three dots in a line for any text.
@Suite("README")
struct ReadmeTests {
  struct Step: CustomStringConvertible {
    let command: String
    var output: [String]
    var description: String { command }
  }

  static func steps(of page: String) throws -> [Step] {
    let text = try ByteView(reading: "\(Samples.root)/\(page)", limit: 1 << 20)
    var steps: [Step] = []
    var isInside = false
    for line in String(decoding: text.array, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("    $ ") {
        steps.append(Step(command: String(line.dropFirst(6)), output: []))
        isInside = true
      } else if isInside && (line.hasPrefix("    ") || line.isEmpty) {
        steps[steps.count - 1].output.append(String(line.dropFirst(4)))
      } else {
        isInside = false
      }
    }
    for index in steps.indices {
      while steps[index].output.last?.isEmpty == true { steps[index].output.removeLast() }
    }
    return steps
  }

  @Test("Its session prints what it says, command by command")
  func session() throws {
    let folder = ScratchFolder()
    let steps = try Self.steps(of: "README.md")
    #expect(steps.count >= 8)
    let programs = BuiltProgram.mayday.dropLast("/mayday".count)
    let environment = [
      "PATH": "\(programs):/usr/bin:/bin", "MAYDAY_HOME": folder.path("home"), "USER": "ann",
      "MAYDAY_AS": "ann", "HOME": folder.path(""),
    ]
    for step in steps {
      let run = Run(
        ["-c", "cd \"$0\" && \(step.command) 2>&1", Samples.root], environment: environment,
        program: "/bin/sh")
      var printed = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      while printed.last?.isEmpty == true { printed.removeLast() }
      #expect(
        Self.matches(printed[...], step.output[...]),
        "$ \(step.command)\n\(printed.joined(separator: "\n"))")
    }
  }

  private static func matches(_ lines: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return lines.isEmpty }
    if first == "..." {
      return (lines.startIndex...lines.endIndex).contains {
        matches(lines[$0...], pattern.dropFirst())
      }
    }
    guard let line = lines.first, isSame(line[...], first) else { return false }
    return matches(lines.dropFirst(), pattern.dropFirst())
  }

  private static func isSame(_ line: Substring, _ pattern: String) -> Bool {
    var rest = line
    let parts = pattern.split(separator: "...", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return line == pattern }
    for (number, part) in parts.enumerated() {
      if number == 0 {
        guard rest.hasPrefix(part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if number == parts.count - 1 {
        return rest.hasSuffix(part)
      } else {
        guard let range = rest.firstRange(of: part) else { return false }
        rest = rest[range.upperBound...]
      }
    }
    return true
  }
}
