internal import ChildProcess

/// The process that collects the reference facts: this program started again to read one file with libelf and
/// libdwarf, and nothing else.
///
/// Both libraries have bugs with hostile files, so they run where a bug costs one set of facts: without
/// files, without network, with little memory and time.
public enum ReferenceChild {
  /// The hidden subcommand that runs it.
  public static let subcommand = "__reference-reader"

  /// Reads the file on standard input and writes its facts to standard output in the format of
  /// `ReferenceRecord`. The arguments after the subcommand are the most bytes of address space and the most
  /// seconds of processor time.
  ///
  /// - Returns: The exit status: 0 done, 2 wrong usage, 3 no sandbox.
  public static func run() -> Int32 {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
    guard numbers.count == 2 else { return 2 }
    guard let inForce = Sandbox.enter(bytes: numbers[0], seconds: numbers[1]) else { return 3 }
    var output = ReferenceOutput()
    output.begin(.hello)
    output.put(UInt64(inForce.bits))
    let limits = ReferenceLimits()
    ELFReference.write(to: &output, limits: limits)
    var facts = DWARFReference(limits: limits)
    facts.write(to: &output)
    output.begin(.done)
    output.flush()
    return 0
  }
}
