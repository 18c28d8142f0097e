internal import ChildProcess

/// The process that gives a second opinion: the program started again to read one file with libelf
/// and libdwarf, and nothing else.
///
/// Those libraries make mistakes with hostile files, so they run where a mistake costs one opinion:
/// without files, without network, with little memory and time.
public enum OpinionChild {
  /// The hidden subcommand that runs it.
  public static let subcommand = "__second-opinion"

  /// Reads the file on standard input and writes what it says to standard output, as
  /// `OpinionRecord` says. The arguments after the subcommand are the most bytes of address space and
  /// the most seconds of processor time.
  ///
  /// - Returns: The exit status: 0 done, 2 wrong usage, 3 no sandbox.
  public static func run() -> Int32 {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
    guard numbers.count == 2 else { return 2 }
    guard let inForce = Sandbox.enter(bytes: numbers[0], seconds: numbers[1]) else { return 3 }
    var output = OpinionOutput()
    output.begin(.hello)
    output.put(UInt64(inForce.bits))
    let limits = OpinionLimits()
    ELFOpinion.write(to: &output, limits: limits)
    var opinion = DWARFOpinion(limits: limits)
    opinion.write(to: &output)
    output.begin(.done)
    output.flush()
    return 0
  }
}
