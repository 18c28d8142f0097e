internal import Database
internal import Identifiers
internal import TriageModel

/// The merge of two groups that symbols show to be one, inside a transaction.
///
/// The older of the two survives, and the newer one redirects to it. Whatever was merged into either by hand
/// stays with it.
struct GroupMerge: ~Copyable {
  private let table: GroupsTable

  init(_ table: borrowing GroupsTable) {
    self.table = GroupsTable(app: table.app, author: table.author, isLate: table.isLate)
  }

  /// Merges the first origins of two groups.
  ///
  /// - Parameter link: The link that joins them, where it is likeness and not symbols.
  /// - Returns: The remaining origin.
  func merge(
    _ one: Origin, _ other: Origin, by link: KeyLink? = nil, in database: borrowing Connection
  ) throws -> RowID<Tables.Origins> {
    let (kept, gone) = one.ownGroup < other.ownGroup ? (one, other) : (other, one)
    let names = (
      kept: try GroupsTable.name(of: kept.ownGroup, in: database),
      gone: try GroupsTable.name(of: gone.ownGroup, in: database)
    )
    // A real signature takes precedence over a provisional one.
    try database.run(
      """
      UPDATE groups SET (title, main_key, rules, provisional) =
        (SELECT title, main_key, rules, provisional FROM groups WHERE id = ?1)
      WHERE id = ?2 AND provisional > (SELECT provisional FROM groups WHERE id = ?1)
      """, gone.ownGroup, kept.ownGroup)
    let sides = [
      try Side(kept.group, in: database), try Side(gone.group, in: database),
    ]
    try join(gone.ownGroup, to: kept.ownGroup, link == nil ? .bySymbols : .byLikeness, in: database)
    try table.move(gone, into: kept, in: database)
    try table.settle([one.group, other.group], in: database)
    let words = try mergeStates(
      of: sides, in: GroupsTable.root(of: kept.ownGroup, in: database), of: database)
    let reason = link.map { ", by likeness: \($0.text)" } ?? ""
    try table.note(
      kept.ownGroup, .merged, "\(names.gone) is now \(names.kept)\(reason)\(words)", in: database)
    return kept.id
  }

  /// A group that takes part in a merge, as it was before.
  private struct Side {
    let group: RowID<Tables.Groups>
    let status: GroupStatus
    let assignee: String?
    let ticket: GroupTicket?
    /// The newest report of each release.
    let reports: [CountedReport]

    init(_ group: RowID<Tables.Groups>, in database: borrowing Connection) throws {
      self.group = group
      status = try .read(group, in: database)
      assignee = try database.text("SELECT assignee FROM groups WHERE id = ?1", group)
      ticket = try GroupTickets.ticket(of: group, in: database)
      reports = try GroupActions.newestOfEachRelease(in: group, of: database)
    }

    /// The precedence of its state: a state set by a user or a report comes before the initial one, and a
    /// more urgent state before a less urgent one.
    var precedence: Int {
      switch status.state {
      case .regressed: 4
      case .open: status.time == nil ? 0 : 3
      case .ignored: 2
      case .resolved: 1
      }
    }
  }

  /// Determines the state of a merged group.
  ///
  /// A group without decisions takes over those about the other, as if its reports had been stored there:
  /// reports from a release in which the other should be fixed reopen it.
  ///
  /// - Returns: The text for the history.
  private func mergeStates(
    of sides: [Side], in group: RowID<Tables.Groups>, of database: borrowing Connection
  ) throws -> String {
    guard let first = sides.first, let last = sides.last else { return "" }
    let own = sides.first { $0.group == group } ?? first
    let other = own.group == first.group ? last : first
    var status = own.precedence >= other.precedence ? own.status : other.status
    if own.status.state == .resolved && other.status.state == .resolved {
      status = try later(own.status, other.status, in: database)
    }
    try status.write(to: group, in: database)
    try database.run(
      "UPDATE groups SET assignee = ?2 WHERE id = ?1", group, own.assignee ?? other.assignee)
    try GroupTickets.set(own.ticket ?? other.ticket, of: group, in: database)
    guard own.group != other.group else { return "" }
    let states = GroupStatuses(app: table.app, now: table.now, isLate: table.isLate)
    for report in own.reports + other.reports {
      try states.moved(report, to: group, of: database)
    }
    let now = try GroupStatus.read(group, in: database).state
    guard own.status.state != other.status.state || now != own.status.state else { return "" }
    return "; they were \(own.status.state) and \(other.status.state), and are \(now)"
  }

  /// Returns the state of the one of two resolved groups whose fix is expected later.
  private func later(
    _ own: GroupStatus, _ other: GroupStatus, in database: borrowing Connection
  ) throws -> GroupStatus {
    guard let one = own.fix?.release, let another = other.fix?.release else {
      return (own.time ?? .init(seconds: 0)) >= (other.time ?? .init(seconds: 0)) ? own : other
    }
    if one == another { return own.fix?.kind == .inRelease ? other : own }
    let order = try ReleasesTable.order(of: table.app, in: database)
    return order.precedes(one, another) ? other : own
  }

  /// Redirects one group to an older one, whatever either was merged into.
  private func join(
    _ gone: RowID<Tables.Groups>, to kept: RowID<Tables.Groups>, _ reason: GroupJoin,
    in database: borrowing Connection
  ) throws {
    let above = try redirect(of: gone, in: database)
    let (keptRoot, goneRoot) = (
      try GroupsTable.root(of: kept, in: database), try GroupsTable.root(of: gone, in: database)
    )
    if try isAbove(gone, kept, in: database)
      || (above != nil && kept == keptRoot && keptRoot != goneRoot)
    {
      // The older one replaces the newer one in the chain of manual merges.
      try database.run(
        """
        UPDATE groups SET (redirect, joined) =
          (SELECT redirect, joined FROM groups WHERE id = ?1) WHERE id = ?2
        """, gone, kept)
    } else if above != nil, keptRoot != goneRoot {
      // Both were merged by hand, into groups that this merge joins.
      let (older, newer) = (min(keptRoot, goneRoot), max(keptRoot, goneRoot))
      try database.run(
        "UPDATE groups SET redirect = ?2, joined = \(GroupJoin.byHand.rawValue) WHERE id = ?1",
        newer, older)
      let names = (
        older: try GroupsTable.name(of: older, in: database),
        newer: try GroupsTable.name(of: newer, in: database)
      )
      try table.note(older, .merged, "\(names.newer) is now \(names.older)", in: database)
    }
    // A manual merge of the two is remembered: it still holds their reports together.
    try database.run(
      "UPDATE groups SET redirect = ?2, joined = ?3 WHERE id = ?1", gone, kept,
      keptRoot == goneRoot ? GroupJoin.both : reason)
  }

  private func redirect(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> RowID<Tables.Groups>? {
    try database.id("SELECT redirect FROM groups WHERE id = ?1", group)
  }

  /// Whether the redirects from `group` pass through `other`.
  private func isAbove(
    _ other: RowID<Tables.Groups>, _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> Bool {
    var next = try redirect(of: group, in: database)
    while let group = next {
      if group == other { return true }
      next = try redirect(of: group, in: database)
    }
    return false
  }
}
