extension ServerSchema {
  /// - `tokens.account`: the id of the account that a command signed in as. Such a token allows no more than
  ///   the account does, and ends with it.
  static let tokenOwners = """
    ALTER TABLE tokens ADD COLUMN account TEXT;

    """
}
