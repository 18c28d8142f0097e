internal import CrashModel
internal import Database
internal import Likeness

/// The search for groups similar to another, inside a transaction.
///
/// The lists of stacks lead to those that share heavy frames, of which a bounded number is compared. Where
/// the scores are equal, the older group comes first.
struct RelatedSearch {
  /// The group to leave out.
  let group: RowID<Tables.Groups>
  /// Its app, whose groups are searched first.
  let app: RowID<Tables.Apps>
  /// Whether to include groups of other apps.
  let isOfAllApps: Bool
  /// Whether to include groups that a user declared distinct.
  let includesDistinct: Bool

  /// Maximum number of groups.
  static let limit = 10
  /// Minimum likeness, in millionths.
  private static let least = 300_000
  /// Maximum number of stacks compared with all of the group's own together.
  private static let compared = 200
  /// Maximum number of a group's stacks that are searched for: those of the most reports.
  static let ownStacks = 4

  private struct Match {
    let own: NormalisedStack
    let stack: StoredStack
    let likeness: Likeness
    /// Number of frames of the longer stack.
    let frames: Int
  }

  /// - Parameter stacks: The stacks for which similar ones are searched.
  func run(
    for stacks: [NormalisedStack], in database: borrowing Connection
  ) throws -> [RelatedGroup] {
    var best: [RowID<Tables.Groups>: Match] = [:]
    for match in try matches(of: stacks, in: database) {
      for owner in try owners(of: match.stack, in: database) where owner != group {
        if best[owner].map({ $0.likeness < match.likeness }) ?? true { best[owner] = match }
      }
    }
    let ranked = best.sorted { ($1.value.likeness, $0.key) < ($0.value.likeness, $1.key) }
    let distinct = try DistinctKeys.partners(ofGroup: group, in: database)
    var related: [RelatedGroup] = []
    for (owner, match) in ranked where related.count < Self.limit {
      let isDistinct =
        try !distinct.isEmpty
        && !distinct.isDisjoint(with: DistinctKeys.keys(ofGroup: owner, in: database))
      guard includesDistinct || !isDistinct else { continue }
      try related.append(self.related(owner, match, isDistinct: isDistinct, in: database))
    }
    return related
  }

  private func matches(
    of stacks: [NormalisedStack], in database: borrowing Connection
  ) throws -> [Match] {
    var matches: [Match] = []
    let shares = max(1, stacks.count * (isOfAllApps ? 2 : 1))
    for stack in stacks {
      let features = StackFeatures(stack)
      for isOfOthers in isOfAllApps ? [false, true] : [false] {
        let lists = StackLists(app: app, group: group, isOfOthers: isOfOthers)
        for other in try lists.stacks(
          like: features, atMost: Self.compared / shares, in: database)
        {
          let likeness = features.likeness(to: other.features)
          guard likeness.millionths >= Self.least else { continue }
          matches.append(
            Match(
              own: stack, stack: other, likeness: likeness,
              frames: max(features.frames, other.features.frames)))
        }
      }
    }
    return matches
  }

  /// Returns the groups that have reports with a stack: that of its key, and those that were split off it.
  private func owners(
    of stack: StoredStack, in database: borrowing Connection
  ) throws -> [RowID<Tables.Groups>] {
    let rows = try database.prepare(
      """
      SELECT group_keys.grp, group_keys.origin, key_stacks.variant FROM key_stacks JOIN group_keys
        ON group_keys.app = key_stacks.app AND group_keys.key = key_stacks.key
      WHERE key_stacks.id = ?1 AND is_main = 1 AND is_left = 0
      """, [stack.id])
    guard try rows.step() else { return [] }
    let owner: RowID<Tables.Groups> = try rows.id("grp")
    let variant = try rows.text("variant")
    var owners: [RowID<Tables.Groups>] = []
    let origin: RowID<Tables.Origins> = try rows.id("origin")
    let parts = try Origin.all(where: "parent = ?1", origin, in: database)
    for group in [owner] + parts.map(\.group) where !owners.contains(group) {
      let report = try database.integer(
        "SELECT 1 FROM reports WHERE grp = ?1 AND variant = ?2 LIMIT 1", group, variant)
      if report != nil { owners.append(group) }
    }
    // All of its reports may have expired.
    return owners.isEmpty ? [owner] : owners
  }

  private func related(
    _ group: RowID<Tables.Groups>, _ match: Match, isDistinct: Bool,
    in database: borrowing Connection
  ) throws -> RelatedGroup {
    let rows = try database.prepare(
      """
      SELECT apps.name AS app_name, apps.prefix || '-' || groups.number AS group_name,
        groups.title, groups.reports, key_stacks.variant, key_stacks.app AS stack_app
      FROM groups JOIN apps ON apps.id = groups.app JOIN key_stacks ON key_stacks.id = ?2
      WHERE groups.id = ?1
      """, [group, match.stack.id])
    guard try rows.step() else { throw StoreError.damaged("there is no group in row \(group)") }
    let app: RowID<Tables.Apps> = try rows.id("stack_app")
    let other = try StacksTable.stack(rows.text("variant"), app: app, in: database)
    return try RelatedGroup(
      id: rows.text("group_name"), app: rows.text("app_name"), title: rows.text("title"),
      reports: rows.int("reports"), millionths: match.likeness.millionths,
      matchedFrames: match.likeness.matchedFrames, frames: match.frames,
      comparison: other.map { other in
        let names = StackComparison(match.own, other).names
        return RelatedGroup.FrameComparison(
          matched: names.matched, onlyHere: names.ownRest, onlyThere: names.otherRest)
      },
      isDistinct: isDistinct)
  }
}
