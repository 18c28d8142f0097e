/// Where the rules of a file come from.
public struct UnwindSources: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let ehFrame = UnwindSources(rawValue: 1)
  public static let debugFrame = UnwindSources(rawValue: 2)
  /// Mach-O's `__unwind_info`.
  public static let compact = UnwindSources(rawValue: 4)
  /// The exception data of PE files.
  public static let exceptionData = UnwindSources(rawValue: 8)
  /// `STACK CFI` lines of Breakpad's text files.
  public static let stackCFI = UnwindSources(rawValue: 16)
  /// `STACK WIN` lines of Breakpad's text files.
  public static let stackWin = UnwindSources(rawValue: 32)
  /// `.ARM.exidx` of 32-bit Arm.
  public static let exceptionIndex = UnwindSources(rawValue: 64)

  private static let names: [(UnwindSources, String)] = [
    (.ehFrame, "eh_frame"), (.debugFrame, "debug_frame"), (.compact, "unwind_info"),
    (.exceptionData, "pdata"), (.stackCFI, "STACK CFI"), (.stackWin, "STACK WIN"),
    (.exceptionIndex, "exidx"),
  ]

  /// The formats by the names of their sections or records.
  public var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}
