/// The built-in lists of rules: the files in `Rules`, which are embedded in the program when it is built.
///
/// A line is the name that replaces a match, two blanks, and a pattern. `word = PATTERN` names a pattern, so
/// that `{word}` refers to it in the patterns below. Lines that begin with `#` and empty lines are ignored.
enum BuiltInRules {
  /// Incremented with every change.
  static let version = 1

  static let lists: [(name: String, purpose: String, rules: [(name: String, pattern: String)])] = [
    ("secrets", "keys, tokens, passwords", rules(PackageResources.secrets_rules)),
    ("email", "addresses of e-mail", rules(PackageResources.email_rules)),
    ("home", "names of users in paths of home folders", rules(PackageResources.home_rules)),
  ]

  /// Endings of tag and property names whose values are secrets, in lower case and without `_`, `-`, dots and
  /// blanks.
  static let names = lines(of: String(decoding: PackageResources.names_rules, as: UTF8.self))
    .map { String($0.line) }

  /// The lists are part of the program, and a test reads each of them: a line that is not a rule is a bug.
  private static func rules(_ file: [UInt8]) -> [(name: String, pattern: String)] {
    do throws(ScrubError) { return try rules(of: String(decoding: file, as: UTF8.self)) } catch {
      preconditionFailure("a list of scrubbing rules is damaged: \(error)")
    }
  }

  /// - Throws: ``ScrubError`` at a line that is neither a rule nor the name of a pattern.
  static func rules(of text: String) throws(ScrubError) -> [(name: String, pattern: String)] {
    var rules: [(name: String, pattern: String)] = []
    var named: [(word: String, pattern: String)] = []
    for (number, line) in lines(of: text) {
      func parts(_ separator: String) -> (String, String)? {
        let parts = line.split(separator: separator, maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }
      guard case (let name, var pattern)? = parts("  ") else {
        guard let (word, pattern) = parts(" = ") else {
          throw ScrubError(line: number, reason: "neither NAME  PATTERN nor word = PATTERN")
        }
        named.append((word, pattern))
        continue
      }
      for (word, meaning) in named {
        pattern = pattern.split(separator: "{\(word)}", omittingEmptySubsequences: false)
          .joined(separator: meaning)
      }
      rules.append((name, pattern))
    }
    return rules
  }

  /// The lines that are neither empty nor comments, with their numbers from 1.
  private static func lines(of text: String) -> [(number: Int, line: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      $1.isEmpty || $1.first == "#" ? nil : ($0 + 1, $1)
    }
  }
}
