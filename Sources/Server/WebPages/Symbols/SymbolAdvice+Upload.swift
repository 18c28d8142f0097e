internal import CrashService

extension SymbolAdvice {
  /// The commands for a user with access to a server but not to its home.
  func commands(to server: String) -> [String] {
    let local = "mayday symbols add "
    return commands.map { command in
      command.hasPrefix(local)
        ? "mayday upload \(command.dropFirst(local.count)) --server \(server)" : command
    }
  }
}
