@_spi(Reflection) import Swift

/// A wrapped property of a command, as the parser sees it.
protocol Declaration: DeclarationGroup {
  var parameter: Parameter { get }

  /// Takes the value that the user gave; a flag gets the name by which it was given, or an empty text
  /// where that was not on the command line.
  ///
  /// - Returns: Whether `text` is a value of the property's type.
  func accept(_ text: String) -> Bool

  /// Why it does not accept `text`; `nil` where its parameter says enough.
  func refusal(of text: String) -> String?

  /// Whether a word that follows the option, whose value may be left out, can only be its value.
  func isPlain(_ word: String) -> Bool
}

extension Declaration {
  func refusal(of text: String) -> String? { nil }
  func isPlain(_ word: String) -> Bool { false }

  /// - Parameter name: The name of the option: as it was written, or its environment variable.
  func invalid(_ text: String, as name: String) -> UsageError {
    guard let reason = refusal(of: text) else { return parameter.invalid(text, as: name) }
    return UsageError("\(name) cannot be '\(text)': \(reason)")
  }
}

/// Where a wrapped property keeps its value.
///
/// A reference, so that the parser can set the properties of a command that it knows only by
/// reflection.
final class Slot<Value> {
  var value: Value
  /// Whether the user gave a value: the first one replaces a default list, the next ones extend it.
  var isGiven = false

  init(_ value: Value) { self.value = value }
}

extension Slot {
  func append<Element>(_ element: Element) where Value == [Element] {
    if isGiven { value.append(element) } else { value = [element] }
    isGiven = true
  }
}

/// The declarations of a command, those of its option groups included, in their order.
func declarations(of command: Any) -> [any Declaration] {
  _openExistential(command, do: declarations(in:))
}

private func declarations<Command>(in command: Command) -> [any Declaration] {
  var found: [any Declaration] = []
  unsafe withUnsafeBytes(of: command) { bytes in
    // `Mirror` would ask for each struct whether it describes itself: the runtime goes through all types of the
    // program for a question. So there is one for each property.
    _ = unsafe _forEachField(of: Command.self, options: []) { _, offset, type, _ in
      func take<Field>(_ type: Field.Type) {
        guard let start = unsafe bytes.baseAddress?.advanced(by: offset) else { return }
        let field = unsafe start.assumingMemoryBound(to: Field.self).pointee
        if let group = field as? any DeclarationGroup { found += group.declarations }
      }
      _openExistential(type, do: take)
      return true
    }
  }
  return found
}

/// A property that holds declarations: one, or those of a struct.
protocol DeclarationGroup {
  var declarations: [any Declaration] { get }
}

extension Declaration {
  var declarations: [any Declaration] { [self] }
}
