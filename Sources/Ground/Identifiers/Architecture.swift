/// The instruction set that code is for. An unknown one is kept as it came.
public struct Architecture: Hashable, Sendable, CustomStringConvertible {
  /// The usual short name, in lower case.
  public let description: String

  public init(_ name: String) { description = name }

  public static let x86_64 = Architecture("x86_64")
  /// x86_64 with the Haswell instructions, a slice of its own in universal files.
  public static let x86_64h = Architecture("x86_64h")
  public static let i386 = Architecture("i386")
  public static let arm64 = Architecture("arm64")
  public static let arm64e = Architecture("arm64e")
  public static let arm64_32 = Architecture("arm64_32")
  public static let armv6 = Architecture("armv6")
  public static let armv7 = Architecture("armv7")
  public static let armv7s = Architecture("armv7s")
  public static let armv7k = Architecture("armv7k")
  public static let arm = Architecture("arm")
  public static let riscv64 = Architecture("riscv64")
  public static let riscv32 = Architecture("riscv32")
  public static let ppc = Architecture("ppc")
  public static let ppc64 = Architecture("ppc64")
  public static let ppc64le = Architecture("ppc64le")
  public static let s390x = Architecture("s390x")
  public static let mips = Architecture("mips")
  public static let mips64 = Architecture("mips64")
  public static let wasm32 = Architecture("wasm32")
  /// WebAssembly with 64-bit addresses of memory.
  public static let wasm64 = Architecture("wasm64")
  public static let sparc = Architecture("sparc")
}
