internal import Database

/// The reason why a group shows under another, stored in `groups.joined`.
enum GroupJoin: Int, SQLBindable {
  /// It does not, or symbols showed that the two are one.
  case bySymbols = 0
  /// A user merged it.
  case byHand = 1
  /// A user merged it, and symbols later showed the same.
  case both = 2
  /// Its keys are linked with those of the other by likeness: it is separated when they no longer are.
  case byLikeness = 3
}
