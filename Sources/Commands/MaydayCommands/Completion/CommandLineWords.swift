import Glibc

/// The words of a command line that is being typed and need not be right yet.
struct CommandLineWords {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The value of an option: `--home DIR` or `--home=DIR`; the last one counts.
  func value(of option: String) -> String? {
    var value: String?
    for (index, word) in words.enumerated() {
      if word == option, words.indices.contains(index + 1) { value = words[index + 1] }
      if word.hasPrefix(option + "=") { value = String(word.dropFirst(option.count + 1)) }
    }
    guard let value, value.hasPrefix("~/"), let home = getenv("HOME") else { return value }
    return String(cString: home) + value.dropFirst()
  }
}
