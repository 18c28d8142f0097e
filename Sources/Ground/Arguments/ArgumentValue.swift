/// A type that a word of the command line can be read as.
public protocol ArgumentValue {
  /// - Returns: `nil` when `argument` does not spell a value of the type.
  init?(argument: String)

  /// How the value is written on the command line.
  var argument: String { get }

  /// The name of a value in help.
  static var valueName: String { get }
  /// A value for the message about one that is wrong; `nil` where any text will do.
  static var example: String? { get }
  /// Every spelling, where there are only a few.
  static var choices: [String] { get }
  /// Why `argument` is refused; `nil` where the example says enough.
  static func refusal(of argument: String) -> String?
  /// Whether a word after an option whose value may be left out can only be that value.
  static func isPlain(_ word: String) -> Bool
}

extension ArgumentValue {
  public static var choices: [String] { [] }
  public static var example: String? { nil }
  public static func refusal(of argument: String) -> String? { nil }
  public static func isPlain(_ word: String) -> Bool { false }
}

extension String: ArgumentValue {
  public init?(argument: String) { self = argument }
  public var argument: String { self }
  public static var valueName: String { "TEXT" }
}

extension Int: ArgumentValue {
  public init?(argument: String) { self.init(argument) }
  public var argument: String { String(self) }
  public static var valueName: String { "NUMBER" }
  public static var example: String? { "20" }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  public init?(argument: String) { self.init(rawValue: argument) }
  public var argument: String { rawValue }
  public static var choices: [String] { allCases.map(\.rawValue) }
  public static var valueName: String { choices.joined(separator: "|") }
}
