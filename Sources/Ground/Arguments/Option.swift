/// A named value: `--port 80`, `--port=80`, `-p 80`.
///
/// On an array it may be given more than once.
@propertyWrapper
public struct Option<Value>: Declaration {
  let slot: Slot<Value>
  let parameter: Parameter
  private let assign: (String, Slot<Value>) -> Bool
  private let type: any ArgumentValue.Type

  public var wrappedValue: Value { slot.value }

  func accept(_ text: String) -> Bool { assign(text, slot) }
  func refusal(of text: String) -> String? { type.refusal(of: text) }
  func isPlain(_ word: String) -> Bool { type.isPlain(word) }

  private init(
    _ value: Value, _ parameter: Parameter, _ type: any ArgumentValue.Type,
    assign: @escaping (String, Slot<Value>) -> Bool
  ) {
    self.type = type
    slot = Slot(value)
    self.parameter = parameter
    self.assign = assign
  }
}

extension Option where Value: ArgumentValue {
  /// An option with a default.
  ///
  /// - Parameter isShared: See ``Parameter/isShared``.
  public init(
    wrappedValue: Value, _ names: String..., isShared: Bool = true, help: String,
    value: String? = nil
  ) {
    var parameter = Parameter(
      option: names, value: value, help: help, type: Value.self,
      defaultText: wrappedValue.argument)
    parameter.isShared = isShared
    self.init(wrappedValue, parameter, Value.self) { text, slot in
      guard let value = Value(argument: text) else { return false }
      slot.value = value
      return true
    }
  }
}

extension Option {
  /// An option that may be left out.
  ///
  /// - Parameter isShared: See ``Parameter/isShared``.
  public init<Wrapped: ArgumentValue>(
    _ names: String..., isShared: Bool = true, help: String, value: String? = nil
  ) where Value == Wrapped? {
    var parameter = Parameter(option: names, value: value, help: help, type: Wrapped.self)
    parameter.isShared = isShared
    self.init(nil, parameter, Wrapped.self) { text, slot in
      guard let value = Wrapped(argument: text) else { return false }
      slot.value = value
      return true
    }
  }

  /// An option that may be left out, and may be given without a value, which then is `implied`. A
  /// value that is given follows an equals sign, or is the next word if that can only be one.
  ///
  /// - Parameter isShared: See ``Parameter/isShared``.
  public init<Wrapped: ArgumentValue>(
    _ names: String..., implied: Wrapped, isShared: Bool = true, help: String,
    value: String? = nil
  ) where Value == Wrapped? {
    var parameter = Parameter(option: names, value: value, help: help, type: Wrapped.self)
    parameter.isShared = isShared
    parameter.impliedText = implied.argument
    self.init(nil, parameter, Wrapped.self) { text, slot in
      guard let value = Wrapped(argument: text) else { return false }
      slot.value = value
      return true
    }
  }

  /// An option that may be given more than once.
  public init<Element: ArgumentValue>(
    wrappedValue: [Element], _ names: String..., help: String, value: String? = nil
  ) where Value == [Element] {
    let parameter = Parameter(
      option: names, value: value, help: help, type: Element.self, isRepeated: true)
    self.init(wrappedValue, parameter, Element.self) { text, slot in
      guard let value = Element(argument: text) else { return false }
      slot.append(value)
      return true
    }
  }
}

extension Parameter {
  fileprivate init<Value: ArgumentValue>(
    option names: [String], value: String?, help: String, type: Value.Type,
    defaultText: String? = nil, isRepeated: Bool = false
  ) {
    self.init(
      kind: .option, names: names, valueName: value ?? type.valueName, help: help,
      defaultText: defaultText, choices: type.choices, example: type.example,
      isRepeated: isRepeated, isRequired: false)
  }
}
