package import CrashModel
internal import CrashService

extension SymbolStatus {
  /// How a line about the image stands out: what is as it should be does not.
  ///
  /// - Parameter isOwn: Whether the app's own code lies in the image.
  package func styled(_ text: String, _ styles: Styles, isOwn: Bool) -> String {
    if verdict == .found && !isUnverified { return text }
    guard isOwn, verdict != .unneeded else { return styles.dim(text) }
    return verdict == .damaged ? styles.danger(text) : styles.warning(text)
  }
}
