/// How parts of the text stand out: colours on a terminal, nothing elsewhere.
struct Styles: Sendable {
  let isOn: Bool

  static let plain = Styles(isOn: false)

  func strong(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func heading(_ text: String) -> String { wrap(text, "1;4") }
  func danger(_ text: String) -> String { wrap(text, "1;31") }
  func warning(_ text: String) -> String { wrap(text, "33") }
  func good(_ text: String) -> String { wrap(text, "32") }
  func place(_ text: String) -> String { wrap(text, "36") }
  func chart(_ text: String) -> String { wrap(text, "34") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
