internal import CrashService

/// The styles of text: colours on a terminal, none elsewhere.
package struct Styles: Sendable {
  package let isOn: Bool

  package static let plain = Styles(isOn: false)

  package func strong(_ text: String) -> String { wrap(text, "1") }
  package func dim(_ text: String) -> String { wrap(text, "2") }
  package func heading(_ text: String) -> String { wrap(text, "1;4") }
  package func danger(_ text: String) -> String { wrap(text, "1;31") }
  package func warning(_ text: String) -> String { wrap(text, "33") }
  package func good(_ text: String) -> String { wrap(text, "32") }
  package func location(_ text: String) -> String { wrap(text, "36") }
  package func chart(_ text: String) -> String { wrap(text, "34") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  package init(isOn: Bool) {
    self.isOn = isOn
  }
}
