internal import Database
internal import Likeness

/// Two keys that are linked by likeness, as stored in `key_links`, in both directions.
struct KeyLink {
  let key: String
  let other: String
  let rule: LinkRule
  /// Likeness of the most similar pair of stacks.
  let likeness: Likeness
  /// Number of frames of the longer of these, of those that show more than how the process died.
  let frames: Int

  /// The text for the history: `9 of 11 frames agree, likeness .87, rule L1`.
  var text: String {
    let rule = rule == .limit ? "the app's limit" : "rule \(rule.rawValue)"
    return "\(likeness.matchedFrames) of \(frames) frames agree, likeness \(likeness.text), \(rule)"
  }

  init(key: String, other: String, rule: LinkRule, likeness: Likeness, frames: Int) {
    self.key = key
    self.other = other
    self.rule = rule
    self.likeness = likeness
    self.frames = frames
  }

  /// - Parameter row: A row with the columns of `key_links`.
  init(_ row: borrowing Statement) throws {
    key = try row.text("key")
    other = try row.text("other")
    let word = try row.text("rule")
    guard let rule = LinkRule(rawValue: word) else {
      throw StoreError.damaged("rule \(word) of a link of key \(key)")
    }
    self.rule = rule
    likeness = Likeness(
      millionths: try row.int("likeness"), matchedFrames: try row.int("matched"))
    frames = try row.int("frames")
  }

  /// Writes the link, unless a user declared the two keys distinct. A greater likeness replaces a smaller
  /// one.
  ///
  /// - Returns: Whether it is new.
  func write(app: RowID<Tables.Apps>, in database: borrowing Connection) throws -> Bool {
    let isDistinct = try database.integer(
      "SELECT 1 FROM distinct_keys WHERE app = ?1 AND key = ?2 AND other = ?3", app,
      min(key, other),
      max(key, other))
    guard isDistinct == nil else { return false }
    let old = try database.integer(
      "SELECT likeness FROM key_links WHERE app = ?1 AND key = ?2 AND other = ?3", app, key, other)
    if let old, old >= likeness.millionths { return false }
    for (one, another) in [(key, other), (other, key)] {
      try database.insert(
        into: "key_links",
        [
          "app": app, "key": one, "other": another, "rule": rule.rawValue,
          "likeness": likeness.millionths, "matched": likeness.matchedFrames, "frames": frames,
        ],
        onConflict: """
          ON CONFLICT (app, key, other) DO UPDATE SET rule = excluded.rule,
            likeness = excluded.likeness, matched = excluded.matched, frames = excluded.frames
          """)
    }
    return old == nil
  }
}
