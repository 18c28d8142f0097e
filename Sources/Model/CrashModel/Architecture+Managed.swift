public import Identifiers

extension Architecture {
  /// Code for Java's virtual machine, or for Android's runtime.
  public static let jvm = Architecture("jvm")
  public static let javaScript = Architecture("javascript")
  /// The intermediate language of .NET.
  public static let cil = Architecture("cil")

  /// Whether a virtual machine runs the code: its frames have names and lines instead of addresses.
  public var isManaged: Bool { self == .jvm || self == .javaScript || self == .cil }
}

extension LoadedImage {
  /// Whether it stands for code of a virtual machine, whose frames a mapping explains.
  public var isManaged: Bool { architecture?.isManaged == true }
}
