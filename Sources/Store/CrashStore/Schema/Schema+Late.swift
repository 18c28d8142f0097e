extension Schema {
  /// Debug files that come after the reports that need them.
  ///
  /// Reports change their groups in several places, so what is counted of waiting reports by group is
  /// kept by triggers: no statement can forget it.
  static let late = """
    -- How many debug files ever arrived; which of them a result has seen follows from it.
    CREATE TABLE arrivals (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO arrivals (id, last) SELECT 1, count(*) FROM debug_files;
    ALTER TABLE debug_files ADD COLUMN arrival INTEGER NOT NULL DEFAULT 0;

    -- Reports that are to be done again; a problem says why one could not be.
    CREATE TABLE redo (
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      problem TEXT
    ) STRICT;
    INSERT INTO redo (report)
      SELECT DISTINCT report FROM waiting JOIN debug_files USING (debug_id);

    -- A debug id is longer than all that is noted of a report that names it.
    CREATE TABLE image_numbers (
      id INTEGER PRIMARY KEY,
      debug_id TEXT NOT NULL UNIQUE
    ) STRICT;
    INSERT INTO image_numbers (debug_id) SELECT DISTINCT debug_id FROM waiting ORDER BY debug_id;

    -- Places whose reports were done again, and how far the look through them has come.
    CREATE TABLE regroup (
      origin INTEGER PRIMARY KEY,
      phase INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    -- How they changed, for the history: the signatures' texts, and the debug ids that explained it.
    CREATE TABLE regroup_changes (
      origin INTEGER NOT NULL,
      old_text TEXT NOT NULL,
      new_text TEXT NOT NULL,
      arrived TEXT NOT NULL,
      reports INTEGER NOT NULL,
      PRIMARY KEY (origin, old_text, new_text, arrived)
    ) STRICT, WITHOUT ROWID;
    -- Whether every report that had the key was done again and got another.
    ALTER TABLE group_keys ADD COLUMN is_left INTEGER NOT NULL DEFAULT 0;

    -- By which other keys reports with a key could be read, the nearest first. Of older reports it is
    -- only known which keys met.
    CREATE TABLE key_readings (
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      reading TEXT NOT NULL,
      position INTEGER NOT NULL,
      PRIMARY KEY (app, key, reading)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX key_readings_by_reading ON key_readings (app, reading);
    INSERT INTO key_readings (app, key, reading, position)
      SELECT main.app, main.key, other.key, 0 FROM group_keys AS main
      JOIN group_keys AS other ON other.origin = main.origin AND other.key != main.key
      WHERE main.is_main = 1;

    -- Whether somebody named the app for all reports of the file; NULL where that is not known.
    ALTER TABLE submissions ADD COLUMN app_given INTEGER;

    -- A file that decides would make a provisional signature a real one.
    CREATE TABLE waiting_for_images (
      image INTEGER NOT NULL REFERENCES image_numbers,
      report INTEGER NOT NULL REFERENCES reports,
      decides INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (image, report)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO waiting_for_images (image, report)
      SELECT image_numbers.id, report FROM waiting JOIN image_numbers USING (debug_id);
    DROP TABLE waiting;
    ALTER TABLE waiting_for_images RENAME TO waiting;
    CREATE INDEX waiting_by_report ON waiting (report);
    CREATE TABLE uses (
      image INTEGER NOT NULL REFERENCES image_numbers,
      report INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
      PRIMARY KEY (image, report)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX uses_by_report ON uses (report);

    -- What reports say of the images that they wait for or that were explained.
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

    -- The releases that somebody said debug files belong to.
    CREATE TABLE debug_file_releases (
      digest BLOB NOT NULL,
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      PRIMARY KEY (digest, app, version, build)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX debug_files_by_digest ON debug_files (digest);

    -- How many reports of a group wait for a debug file. The group comes first: a report touches one
    -- place, however many images it names.
    CREATE TABLE missing (
      image INTEGER NOT NULL REFERENCES image_numbers,
      grp INTEGER NOT NULL REFERENCES groups,
      reports INTEGER NOT NULL,
      deciding INTEGER NOT NULL,
      PRIMARY KEY (grp, image)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO missing (image, grp, reports, deciding)
      SELECT image, grp, count(*), 0 FROM waiting JOIN reports ON reports.id = waiting.report
      GROUP BY image, grp;
    CREATE TRIGGER waiting_begins AFTER INSERT ON waiting BEGIN
      INSERT INTO missing (image, grp, reports, deciding)
        SELECT NEW.image, grp, 1, NEW.decides FROM reports WHERE id = NEW.report
        ON CONFLICT DO UPDATE SET reports = reports + 1, deciding = deciding + NEW.decides;
    END;
    CREATE TRIGGER waiting_ends AFTER DELETE ON waiting BEGIN
      UPDATE missing SET reports = reports - 1, deciding = deciding - OLD.decides
        WHERE image = OLD.image
          AND grp = (SELECT grp FROM reports WHERE id = OLD.report);
      DELETE FROM missing WHERE image = OLD.image
        AND grp = (SELECT grp FROM reports WHERE id = OLD.report) AND reports <= 0;
    END;
    CREATE TRIGGER waiting_decides AFTER UPDATE OF decides ON waiting BEGIN
      UPDATE missing SET deciding = deciding + NEW.decides - OLD.decides
        WHERE image = NEW.image
          AND grp = (SELECT grp FROM reports WHERE id = NEW.report);
    END;
    CREATE TRIGGER waiting_moves AFTER UPDATE OF grp ON reports WHEN OLD.grp != NEW.grp BEGIN
      INSERT INTO missing (image, grp, reports, deciding)
        SELECT image, NEW.grp, 1, decides FROM waiting WHERE report = NEW.id
        ON CONFLICT DO UPDATE
        SET reports = reports + 1, deciding = deciding + excluded.deciding;
      UPDATE missing SET reports = reports - 1, deciding = deciding
          - (SELECT decides FROM waiting WHERE report = NEW.id AND image = missing.image)
        WHERE grp = OLD.grp AND image IN (SELECT image FROM waiting WHERE report = NEW.id);
      DELETE FROM missing WHERE grp = OLD.grp AND reports <= 0
        AND image IN (SELECT image FROM waiting WHERE report = NEW.id);
    END;

    """
}
