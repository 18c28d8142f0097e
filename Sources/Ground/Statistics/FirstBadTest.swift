internal import Glibc

/// The build of an app from which on something happens more often.
///
/// Each group is compared with itself: its cases in a window of builds with those in all builds before the
/// window, by ``FisherTest``. A window begins with a build in which the group was seen and has a power of two of
/// builds, or all that follow. The window with the smallest probability counts, the earliest of equal ones, if
/// the group is at least ``leastFactor`` times as frequent in it.
///
/// Cases are counted among the sessions of the builds. Where sessions are unknown, they are counted among the
/// cases of all groups that were seen before the window, and in its last build or later: a group that is new,
/// or was fixed, would change the shares of all others.
///
/// By Bonferroni's correction, probabilities are multiplied by ``comparisons``: the number of windows times
/// the number of groups.
public struct FirstBadTest: Sendable {
  /// The name of the test in texts.
  public static let name = "\(FisherTest.name), Bonferroni's correction"
  /// Rarer groups are not tested.
  public static let leastCases = 3
  /// How many times as frequent a group has to be.
  public static let leastFactor = 2

  /// How often a group was seen in a build.
  public struct Count: Hashable, Sendable {
    /// The index of the build, from 0.
    public var build: Int
    public var cases: Int

    public init(build: Int, cases: Int) {
      self.build = build
      self.cases = cases
    }
  }

  /// The builds in which a group is more frequent.
  public struct Finding: Hashable, Sendable {
    /// The indexes of the first build of the window and of the last in which the group was seen.
    public var builds: ClosedRange<Int>
    /// The cases in the window, out of what they are counted among.
    public var new: FisherTest.Sample
    /// The cases in all builds before the window.
    public var former: FisherTest.Sample
    /// The natural logarithm of the probability, before it is corrected.
    public var logP: Double
    /// The confidence that this is not chance: 1 less the corrected probability, to a millionth, rounded
    /// down.
    public var confidence: Double
  }

  /// How many windows were compared, in all groups.
  public let comparisons: Int
  /// How many groups are frequent enough.
  public let tested: Int
  private let builds: Int
  private let groups: [[Count]]
  /// The sums of sessions before each build, and of all; empty where sessions are unknown.
  private let sessions: [Int]
  /// The windows that begin with each build.
  private let windows: [[Window]]

  private struct Window {
    /// The index after its last build.
    let end: Int
    /// Cases before it and in it, of the groups that were seen before it and in its last build or later.
    var former = 0
    var new = 0
  }

  /// - Parameters:
  ///   - groups: For each group, the builds in which it was seen, in ascending order.
  ///   - builds: How many builds there are.
  ///   - sessions: The sessions of each build; `nil` where unknown. At least as many as a group has cases.
  public init(groups: [[Count]], builds: Int, sessions: [Int]?) {
    self.groups = groups
    self.builds = builds
    self.sessions = sessions.map(Self.sums) ?? []
    let windows = Self.windows(groups, builds)
    self.windows = windows
    tested = groups.count { $0.reduce(0) { $0 + $1.cases } >= Self.leastCases }
    comparisons = max(tested, 1) * max(windows.dropFirst().reduce(0) { $0 + $1.count }, 1)
  }

  /// Where a group became more frequent; `nil` where it did not, or nothing can be compared.
  ///
  /// - Complexity: O(*n* log *b*) tests, for *b* builds and the *n* in which the group was seen.
  public func finding(ofGroup index: Int) -> Finding? {
    let counts = groups[index]
    guard let last = counts.last, counts.reduce(0, { $0 + $1.cases }) >= Self.leastCases else {
      return nil
    }
    var cases = [Int](repeating: 0, count: builds)
    for count in counts { cases[count.build] = count.cases }
    let sums = Self.sums(cases)
    var best: Finding?
    for start in counts.map(\.build) where start > 0 {
      for window in windows[start] {
        var former = FisherTest.Sample(marked: sums[start], of: window.former)
        var new = FisherTest.Sample(marked: sums[window.end] - sums[start], of: window.new)
        if !sessions.isEmpty {
          former.all = sessions[start]
          new.all = sessions[window.end] - sessions[start]
        } else if sums[start] == 0 || last.build < window.end - 1 {
          // The group is not seen on both sides.
          former.all += former.marked
          new.all += new.marked
        }
        guard former.isUsable, new.isUsable, Self.isMoreFrequent(new, former) else { continue }
        let logP = FisherTest.logPValue(of: new, over: former)
        // Equal ones differ in the last digits.
        if let best, logP >= best.logP - 1e-9 * max(1, -best.logP) { continue }
        let seen = counts.last { $0.build < window.end }?.build ?? start
        best = Finding(
          builds: start...seen, new: new, former: former, logP: logP,
          confidence: Self.confidence(logP + log(Double(comparisons))))
      }
    }
    return best
  }

  private static func confidence(_ logP: Double) -> Double {
    // A tiny amount is added: an exact millionth may otherwise be rounded down to the next.
    (max(0, -expm1(min(0, logP))) * 1e6 + 1e-7).rounded(.down) / 1e6
  }

  private static func isMoreFrequent(
    _ new: FisherTest.Sample, _ former: FisherTest.Sample
  ) -> Bool {
    Int128(new.marked) * Int128(former.all)
      >= Int128(leastFactor) * Int128(former.marked) * Int128(new.all)
  }

  private static func windows(from start: Int, of builds: Int) -> [Window] {
    var windows: [Window] = []
    var length = 1
    while length < builds - start {
      windows.append(Window(end: start + length))
      length *= 2
    }
    return windows + [Window(end: builds)]
  }

  private static func sums(_ counts: [Int]) -> [Int] {
    counts.reduce(into: [0]) { sums, count in sums.append((sums.last ?? 0) + count) }
  }

  /// - Complexity: O(*n* log *b*) in the builds from the first to the last of each group.
  private static func windows(_ groups: [[Count]], _ builds: Int) -> [[Window]] {
    var windows = (0..<builds).map { Self.windows(from: $0, of: builds) }
    for counts in groups {
      guard let first = counts.first?.build, let last = counts.last?.build, first < last else {
        continue
      }
      // From the first build on.
      var cases = [Int](repeating: 0, count: last - first + 1)
      for count in counts { cases[count.build - first] = count.cases }
      let sums = Self.sums(cases)
      for start in first + 1...last {
        for index in windows[start].indices where windows[start][index].end - 1 <= last {
          windows[start][index].former += sums[start - first]
          windows[start][index].new += sums[windows[start][index].end - first] - sums[start - first]
        }
      }
    }
    return windows
  }
}
