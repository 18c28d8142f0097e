extension Schema {
  /// The images of reports: which reports use them or wait for their debug files, and what reports say of
  /// those.
  ///
  /// - `image_numbers`: short numbers for debug ids, which are longer than all that is noted of a report
  ///   that names one.
  /// - `waiting.decides`: whether the debug file would make a provisional signature final.
  /// - `missing`: how many reports of a group wait for a debug file; see ``MissingTable``. The group comes
  ///   first in the key: a report touches one place, however many images it names.
  /// - `image_packages`: the packages of distributions that images were installed from, by the images
  ///   themselves.
  static let images = """
    CREATE TABLE image_numbers (
      id INTEGER PRIMARY KEY,
      debug_id TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE waiting (
      image INTEGER NOT NULL REFERENCES image_numbers,
      report INTEGER NOT NULL REFERENCES reports,
      decides INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (image, report)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX waiting_by_report ON waiting (report);

    CREATE TABLE uses (
      image INTEGER NOT NULL REFERENCES image_numbers,
      report INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
      PRIMARY KEY (image, report)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX uses_by_report ON uses (report);

    CREATE TABLE missing (
      image INTEGER NOT NULL REFERENCES image_numbers,
      grp INTEGER NOT NULL REFERENCES groups,
      reports INTEGER NOT NULL,
      deciding INTEGER NOT NULL,
      PRIMARY KEY (grp, image)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE images (
      debug_id TEXT PRIMARY KEY,
      code_id TEXT,
      name TEXT NOT NULL,
      path TEXT,
      architecture TEXT,
      is_own INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX images_by_code_id ON images (code_id);

    CREATE TABLE image_builds (
      debug_id TEXT NOT NULL,
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      PRIMARY KEY (debug_id, app, version, build)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX image_builds_by_release ON image_builds (app, version, build);

    CREATE TABLE image_systems (
      debug_id TEXT NOT NULL,
      os TEXT NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      model TEXT NOT NULL,
      PRIMARY KEY (debug_id, os, version, build)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE image_packages (
      debug_id TEXT PRIMARY KEY,
      type TEXT,
      name TEXT NOT NULL,
      version TEXT,
      architecture TEXT,
      os TEXT,
      os_cpe TEXT,
      debug_info_url TEXT
    ) STRICT, WITHOUT ROWID;

    """
}
