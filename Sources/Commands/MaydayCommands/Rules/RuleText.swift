import Rendering
import Grouping

/// One line of a list for display: the line, and what each of its words means.
struct RuleText {
  var width = 80
  var styles = Styles.plain

  func lines(for line: RuleLine) -> [String] {
    var lines = [styles.strong(line.id) + "  " + line.text]
    guard line.isRule else { return lines }
    var rows: [(String, String)] = []
    if let purpose = GroupingRules.standard.purpose(of: line.list) {
      rows.append((line.list, purpose))
    }
    if let heading = line.heading { rows.append(("part", heading)) }
    let words = Self.words(of: line.text)
    rows.append((words[0], Self.meaning(ofPattern: words[0], in: line.list)))
    rows += words.dropFirst().map { ($0, Self.meaning(ofOption: $0)) }
    let indent = min(24, (rows.map(\.0.columns).max() ?? 0)) + 4
    for (word, meaning) in rows {
      let head = "  " + word
      let fits = head.columns <= indent - 2
      if !fits { lines.append(head) }
      lines += meaning.lines(of: width - indent).enumerated().map { number, text in
        (number == 0 && fits ? head : "").padded(to: indent) + styles.dim(text)
      }
    }
    return lines
  }

  /// The pattern and the options, which two or more spaces separate.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var rest = Substring(line)
    while let gap = rest.firstRange(of: "  ") {
      words.append(String(rest[..<gap.lowerBound]))
      rest = rest[gap.upperBound...].drop { $0 == " " }
    }
    return words + (rest.isEmpty && !words.isEmpty ? [] : [String(rest)])
  }

  private static func meaning(ofPattern pattern: String, in list: String) -> String {
    let what =
      switch list {
      case "images.rules": "an image's path or name"
      case "libraries.rules", "runtimes.rules": "an image's name"
      case "messages.rules": "a message"
      default: "a function's normalised name"
      }
    return switch (pattern.hasPrefix("*"), pattern.dropFirst().hasSuffix("*")) {
    case (false, false): "\(what), the whole of it"
    case (false, true): "the start of \(what)"
    case (true, false): "the end of \(what)"
    case (true, true): "any part of \(what)"
    }
  }

  private static func meaning(ofOption option: String) -> String {
    switch option {
    case "above": "the process ends here: frames above it are left out"
    case "bottom": "only among the last frames of a stack"
    case "entry": "where the app's own code begins: named when nothing else of the app is"
    case "notapp": "not in an image that is the app's own"
    case "scripts": "in scripts, too"
    case "app", "system", "undecided": "whose the image is"
    case "platform": "a library of the platform, whatever its path and its debug file"
    case "package":
      "in the folder of one package of a distribution: the app's when the app is one too"
    default:
      option.hasPrefix("module:") ? "only in an image of that name" : "an option of the rule"
    }
  }
}
