package import CrashModel
internal import CrashService

extension SymbolStatus {
  /// Returns a line about the image in the style of its state; a good state has none.
  ///
  /// - Parameter isOwn: Whether the image contains the app's own code.
  package func styled(_ text: String, _ styles: Styles, isOwn: Bool) -> String {
    if verdict == .found && !isUnverified { return text }
    guard isOwn, verdict != .unneeded else { return styles.dim(text) }
    return verdict == .damaged ? styles.danger(text) : styles.warning(text)
  }
}
