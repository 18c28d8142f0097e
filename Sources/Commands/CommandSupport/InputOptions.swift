package import Arguments
internal import Bytes
package import CrashInput
internal import CrashService
internal import Files
internal import Glibc
package import Terminal

/// The files of a command that reads many, besides its arguments.
package struct InputOptions {
  @Option(
    "--files-from",
    help: "Also read the files that this file names, one per line; - is standard input.",
    value: "FILE")
  package var list: String?
  @Flag(
    "-0", "--null", isShared: false,
    help: "Names in --files-from end with NUL, as find -print0 writes them.")
  var endsWithNUL
  @Option(
    "--shard",
    help: "Read only share I of N of the files, by a hash of the name: 1/16 to 16/16.",
    value: "I/N")
  var shard: ShardArgument?

  package init() {}

  /// The files that are read; `nil` for all.
  package var share: InputShare? { shard?.share }

  /// Fetches inputs that are addresses.
  package func remote(_ console: Console) -> RemoteInputs {
    RemoteInputs(agent: "mayday/\(Product.version)") { reason, seconds in
      console.say("mayday: \(reason.printable); again in \(Int(seconds.rounded(.up))) s")
    }
  }

  /// - Throws: ``FileError`` for the first path that does not exist; addresses, and members of archives, are not looked up.
  package func check(_ paths: [String]) throws {
    try InputPaths.check(
      paths.filter { !RemoteInputs.isMeant(by: $0) && ArchiveMemberName(Array($0.utf8)) == nil })
  }

  /// Whether the files can be counted before they are read.
  package func areCountable(_ paths: [String]) -> Bool {
    list == nil && !paths.contains(where: RemoteInputs.isMeant)
  }

  /// - Parameters:
  ///   - paths: The arguments.
  ///   - name: What help calls them.
  package func validate(_ paths: [String], named name: String) throws(UsageError) {
    if paths.isEmpty, list == nil {
      throw UsageError(
        "\(name) is missing; write - for standard input, or name a list: --files-from")
    }
    if endsWithNUL, list == nil { throw UsageError("-0 is for --files-from") }
    if list == "-", paths.contains("-") {
      throw UsageError("- and --files-from - share standard input")
    }
  }

  /// The inputs of a command.
  ///
  /// - Parameter beforeWaiting: Called when the list has no further name yet.
  /// - Throws: ``FileError`` if the list cannot be opened.
  package func names(
    _ paths: [String], beforeWaiting: @escaping () -> Void = {}
  ) throws -> InputNames {
    let list = try list.map { path in
      InputNameList(
        reading: try path == "-"
          ? OpenFile.duplicating(STDIN_FILENO, name: "standard input") : OpenFile.opening(path),
        name: path, endsWithNUL: endsWithNUL, beforeWaiting: beforeWaiting)
    }
    return InputNames(arguments: paths.map { InputName(argument: $0) }, list: list)
  }
}

/// The inputs of a command: its arguments, and the names of a list.
package struct InputNames: Sequence {
  let arguments: [InputName]
  let list: InputNameList?

  package func makeIterator() -> AnyIterator<InputName> {
    var arguments = arguments.makeIterator()
    return AnyIterator { arguments.next() ?? list?.next() }
  }

  /// - Throws: ``CommandFailure`` if a part of the list could not be read.
  package func check() throws {
    guard let failure = list?.failure else { return }
    let code: ExitCode = if case .file = failure { .failed } else { .wrongUsage }
    throw CommandFailure("--files-from: \(failure)", code)
  }
}

/// The value of `--shard`.
struct ShardArgument: Hashable, ArgumentValue {
  let share: InputShare

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      let share = InputShare(number, of: count)
    else { return nil }
    self.share = share
  }

  var argument: String { "\(share.number)/\(share.count)" }
  static var valueName: String { "I/N" }
  static var example: String? { "1/16" }
}
