internal import Database

/// Why a group shows under another, as `groups.joined` has it.
enum GroupJoin: Int, SQLBindable {
  /// It does not, or symbols showed that the two are one.
  case bySymbols = 0
  /// Somebody merged it.
  case byHand = 1
  /// Somebody merged it, and later symbols showed the same.
  case both = 2
  /// Its keys are linked with those of the other by likeness: it comes apart when they no longer are.
  case byLikeness = 3
}
