/// Something that an ``InputWalker`` is asked to read.
public enum InputName: Hashable, Sendable {
  /// A path that a person named: a file is read even if it is called like source code.
  case argument([UInt8])
  /// A path of a list, which is treated like one found in a folder.
  case listed([UInt8])
  case standardInput

  /// An argument of a command; `-` is standard input.
  public init(argument: String) {
    self = argument == "-" ? .standardInput : .argument(Array(argument.utf8))
  }

  /// The bytes of the path; those of `-` for standard input.
  var path: [UInt8] {
    switch self {
    case .argument(let path), .listed(let path): path
    case .standardInput: [UInt8(ascii: "-")]
    }
  }

  /// The path as text.
  public var text: String { String(decoding: path, as: UTF8.self) }

  var isArgument: Bool {
    if case .argument = self { true } else { false }
  }
}
