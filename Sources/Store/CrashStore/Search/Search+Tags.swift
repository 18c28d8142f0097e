internal import Database
internal import Query

/// The values that a tag has in reports of a group.
public struct TagDistribution: Hashable, Sendable {
  /// The field's name in queries: `tag.locale`, `property.Plan`.
  public var field: String
  /// How many of the reports have the tag.
  public var reports: Int
  public var values: GroupBreakdown.Ranking

  public init(field: String, reports: Int, values: GroupBreakdown.Ranking) {
    self.field = field
    self.reports = reports
    self.values = values
  }
}

/// The tags of the newest reports of a group.
public struct GroupTags: Hashable, Sendable {
  /// How many reports were read; expired ones have no tags.
  public var reports = 0
  /// The tags, most frequent first.
  public var tags: [TagDistribution] = []
}

extension CrashStore.Search {
  /// The number of newest reports to read.
  public static let taggedReports = 1_000

  /// The distribution of tags in a group's newest reports. Tags about how the program crashed are left out,
  /// and so are tags that differ in nearly every report, such as ids.
  ///
  /// - Parameters:
  ///   - name: `TERN-12`, in either letter case.
  ///   - limit: The maximum number of values listed per tag.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(1) in the group's reports beyond ``taggedReports``.
  public func tags(ofGroup name: String, limit: Int = 5) throws -> GroupTags {
    try store.read { database in
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      var sets: [(id: Int, count: Int)] = []
      var result = GroupTags()
      do {
        let rows = try database.prepare(
          """
          SELECT search_facts.tags AS tags, count(*) AS count FROM
            (SELECT id FROM reports WHERE grp = ?1 ORDER BY time DESC LIMIT ?2) AS newest
          JOIN search_facts ON search_facts.report = newest.id GROUP BY search_facts.tags
          """, [group, Self.taggedReports])
        while try rows.step() { try sets.append((rows.int("tags"), rows.count("count"))) }
      }
      var counts: [String: [String: Int]] = [:]
      var names: [Int: Tag] = [:]
      for (set, count) in sets {
        result.reports += count
        for tag in try Self.tags(ofSet: set, &names, in: database) {
          counts[tag.key, default: [:]][tag.value, default: 0] += count
        }
      }
      result.tags = counts.compactMap { key, values in
        Self.spread(key, values, limit: limit, crashTags: ComparedField.crashTags)
      }.sorted { ($1.reports, $0.field) < ($0.reports, $1.field) }
      return result
    }
  }

  private struct Tag {
    var key: String
    var value: String

    /// - Parameter term: The key and the value in one text.
    init(term: String) {
      let end = term.firstRange(of: SearchTerm.tagSeparator)
      key = end.map { String(term[..<$0.lowerBound]) } ?? term
      value = end.map { String(term[$0.upperBound...]) } ?? ""
    }
  }

  private static func tags(
    ofSet set: Int, _ names: inout [Int: Tag], in database: borrowing Connection
  ) throws -> [Tag] {
    guard set != 0 else { return [] }
    let ids = SearchTerm.ids(of: .tag)
    let rows = try database.prepare("SELECT members FROM search_sets WHERE id = ?1", [set])
    guard try rows.step() else { throw StoreError.damaged("there is no set of tags in row \(set)") }
    var tags: [Tag] = []
    for member in try rows.withBlob("members", SearchSet.decode) where ids.contains(member) {
      let tag =
        try names[member]
        ?? Tag(
          term: database.requiredText("SELECT text FROM search_terms WHERE id = ?1", member))
      names[member] = tag
      tags.append(tag)
    }
    return tags
  }

  /// Returns `nil` for a tag that does not distinguish reports.
  private static func spread(
    _ key: String, _ values: [String: Int], limit: Int, crashTags: Set<String>
  ) -> TagDistribution? {
    guard !crashTags.contains(key) else { return nil }
    let reports = values.values.reduce(0, +)
    if reports >= 4, values.count * 2 > reports { return nil }
    let sorted = values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let others = sorted.dropFirst(limit)
    let isProperty = key.hasPrefix(ReportValues.propertyPrefix)
    return TagDistribution(
      field: isProperty
        ? "property." + key.dropFirst(ReportValues.propertyPrefix.count) : "tag." + key,
      reports: reports,
      values: GroupBreakdown.Ranking(
        top: sorted.prefix(limit).map { GroupBreakdown.Share(name: $0.key, reports: $0.value) },
        others: others.count, reportsOfOthers: others.reduce(0) { $0 + $1.value }))
  }
}
