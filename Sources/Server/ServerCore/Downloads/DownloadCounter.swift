package import CrashStore
package import Identifiers
internal import Synchronization
package import Updates

/// Counts of downloads that began; they are stored with the next maintenance, so that a download needs no write.
package final class DownloadCounter: Sendable {
  private struct Key: Hashable {
    let app: String
    let artefact: Int
    let group: String
    /// In days since 1970, in UTC.
    let day: Int64
  }

  /// In seconds.
  private static let day: Int64 = 86_400

  private let counts = Mutex<[Key: Int]>([:])

  package init() {}

  /// Counts a download of an artefact.
  ///
  /// - Parameter destination: What makes the artefact visible to the downloader.
  package func count(_ artefact: Artefact, _ destination: Artefact.Destination, at now: Timestamp) {
    let key = Key(
      app: artefact.app, artefact: artefact.number,
      group: destination.kind == .group ? destination.id : "", day: now.seconds / Self.day)
    counts.withLock { $0[key, default: 0] += 1 }
  }

  /// - Throws: `DatabaseError`; counts that could not be stored are tried again.
  package func store(in store: CrashStore) throws {
    let taken = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    for (index, (key, count)) in taken.enumerated() {
      do {
        try store.distribution.countDownloads(
          of: key.artefact, app: key.app, group: key.group, by: count,
          at: Timestamp(seconds: key.day * Self.day))
      } catch StoreError.unknownApp {
        // The app was removed in the meantime.
        continue
      } catch is DistributionError {
        // The file was.
        continue
      } catch {
        counts.withLock { counts in
          for (key, count) in taken.dropFirst(index) { counts[key, default: 0] += count }
        }
        throw error
      }
    }
  }
}
