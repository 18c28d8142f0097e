package import Identifiers

extension DebugID {
  /// The id in App Center's format for UUIDs of Mach-O files; `nil` for an id with an age.
  package var appCenterSymbol: String? {
    let text = description.filter { $0 != "-" }
    return text.count == 32 ? text.lowercased() : nil
  }
}
