import { Button } from '@gatehouse/ui/button';
import { Download, ShieldCheck } from 'lucide-react';
import type { Trail } from './use-trail.ts';

export function TrailActions({ trail: { verify, save, check, exportAll } }: { trail: Trail }) {
  return (
    <>
      <Button size={28} icon={ShieldCheck} shortcut="v" isPending={verify.isPending} onPress={check}>
        Verify
      </Button>
      <Button size={28} icon={Download} isPending={save.isPending} onPress={exportAll}>
        Export
      </Button>
    </>
  );
}
