public import Identifiers

extension Architecture {
  /// Whether code for one can never be code for the other. Reports are less exact than files, which
  /// tell the variants of an instruction set apart; names that are not known contradict nothing.
  public func contradicts(_ other: Architecture) -> Bool {
    guard let family = Self.family(of: self), let others = Self.family(of: other) else {
      return false
    }
    return family != others
  }

  private static func family(of architecture: Architecture) -> String? {
    let name = architecture.description.lowercased()
    switch name {
    case "x86_64", "x86_64h", "x86-64", "amd64", "x64": return "x86_64"
    case "i386", "i486", "i586", "i686", "x86": return "x86"
    case "arm64", "arm64e", "arm64v8", "aarch64", "arm-64": return "arm64"
    case "arm64_32": return name
    case "arm", "thumb": return "arm"
    case "riscv32", "riscv64", "ppc", "ppc64", "ppc64le", "s390", "s390x", "wasm32", "wasm64":
      return name
    case "jvm", "javascript", "cil": return name
    case "sparc", "sparcv9", "sparc64": return "sparc"
    default:
      if name.hasPrefix("armv8") { return nil }
      if name.hasPrefix("armv") { return "arm" }
      return name.hasPrefix("mips") ? "mips" : nil
    }
  }
}
