import { describeTsmux } from './tsmux.ts';

describeTsmux('2.1.332');
