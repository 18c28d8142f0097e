#if FUZZ
  internal import Bytes
  internal import Glibc

  /// libFuzzer's own loop. Source: compiler-rt, FuzzerInterface.h.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  enum Fuzzer {
    /// A C function has no context; set once, before the loop begins.
    nonisolated(unsafe) private static var entry = FuzzEntry.reports

    /// Passes bytes to the entry until the options say that it is enough.
    static func run(_ entry: FuzzEntry) -> Never {
      self.entry = entry
      // The options are what follows the entry's name; the name of the program stays first.
      var arguments = CommandLine.unsafeArgv.advanced(by: 1)
      arguments[0] = CommandLine.unsafeArgv[0]
      var count = CommandLine.argc - 1
      let code = runDriver(&count, &arguments) { start, count in
        Fuzzer.entry.run(ByteView(UnsafeRawBufferPointer(start: start, count: count)))
        return 0
      }
      exit(code)
    }
  }
#endif
